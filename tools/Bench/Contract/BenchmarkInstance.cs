using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Running;

namespace NzbDav.Bench.Contract;

/// <summary>A benchmark with its parameters set, outside BenchmarkDotNet's own process.</summary>
/// <param name="benchmark">The benchmark as BenchmarkDotNet describes it.</param>
internal sealed class BenchmarkInstance(BenchmarkCase benchmark)
{
    private readonly object _instance = Create(benchmark);

    /// <summary>Its name, such as <c>NzbReading.Read(Segments=1000)</c>.</summary>
    public string Name { get; } =
        $"{benchmark.Descriptor.Type.Name}.{benchmark.Descriptor.WorkloadMethod.Name}"
        + (benchmark.Parameters.Items.Count == 0
            ? "" : $"({string.Join(", ", benchmark.Parameters.Items.Select(item => $"{item.Name}={item.Value}"))})");

    /// <summary>Its allocation budget; null if it declares none.</summary>
    public AllocationBudgetAttribute? Budget { get; } = benchmark.Descriptor.WorkloadMethod.GetCustomAttribute<AllocationBudgetAttribute>();

    /// <summary>Number of units that a call processes.</summary>
    public double Units => Budget?.Per is not { } name ? 1
        : benchmark.Descriptor.Type.GetProperty(name)?.GetValue(_instance) is { } units
            ? Convert.ToDouble(units, CultureInfo.InvariantCulture)
        : throw new InvalidOperationException($"{Name}: its budget is per {name}, which is not a property of the class.");

    /// <summary>Bytes that a call may allocate; null if it declares no budget.</summary>
    public double? Allowed => Budget is { } budget ? budget.Once + (budget.Bytes * Units) : null;

    /// <summary>Bytes that a call processes; null if the class is not an <see cref="IThroughput"/>.</summary>
    public long? Bytes => (_instance as IThroughput)?.Bytes;

    /// <summary>Runs the global set-up.</summary>
    public Task SetUpAsync() => RunAsync(benchmark.Descriptor.GlobalSetupMethod);

    /// <summary>Runs the global clean-up.</summary>
    public Task CleanUpAsync() => RunAsync(benchmark.Descriptor.GlobalCleanupMethod);

    /// <summary>A delegate that calls the benchmark without reflection, which would allocate.</summary>
    /// <returns>The delegate; it returns a completed task if the benchmark is not asynchronous.</returns>
    public Func<Task> Bind()
    {
        var method = benchmark.Descriptor.WorkloadMethod;
        var returned = method.ReturnType;
        if (typeof(Task).IsAssignableFrom(returned))
            return method.CreateDelegate<Func<Task>>(_instance);
        if (returned == typeof(ValueTask) || (returned.IsGenericType && returned.GetGenericTypeDefinition() == typeof(ValueTask<>)))
            throw new InvalidOperationException($"{Name}: a benchmark returns a Task, not a ValueTask.");
        if (returned == typeof(void))
        {
            var call = method.CreateDelegate<Action>(_instance);
            return () =>
            {
                call();
                return Task.CompletedTask;
            };
        }

        return (Func<Task>)typeof(BenchmarkInstance).GetMethod(nameof(Discarding), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(returned).Invoke(null, [method, _instance])!;
    }

    private static Func<Task> Discarding<T>(MethodInfo method, object instance)
    {
        var call = method.CreateDelegate<Func<T>>(instance);
        return () =>
        {
            call();
            return Task.CompletedTask;
        };
    }

    private static object Create(BenchmarkCase benchmark)
    {
        var type = benchmark.Descriptor.Type;
        var instance = Activator.CreateInstance(type)!;
        foreach (var parameter in benchmark.Parameters.Items)
            type.GetProperty(parameter.Name)!.SetValue(instance, parameter.Value);
        return instance;
    }

    private async Task RunAsync(MethodInfo? method)
    {
        if (method?.Invoke(_instance, BindingFlags.DoNotWrapExceptions, null, null, null) is Task task)
            await task;
    }
}

/// <summary>
/// What a benchmark may allocate. Every benchmark has one: the allocation column is a contract, which <c>--contract</c> checks.
/// </summary>
/// <param name="bytes">Bytes for each unit of <see cref="Per"/>; without that, for each call.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AllocationBudgetAttribute(double bytes) : Attribute
{
    /// <summary>Bytes for each unit, or for each call.</summary>
    public double Bytes { get; } = bytes;

    /// <summary>Name of a property of the benchmark's class: the number of units that a call processes, such as segments. Null: the call is
    /// the unit.</summary>
    public string? Per { get; init; }

    /// <summary>Additional bytes for each call, regardless of the number of units. Default 0.</summary>
    public double Once { get; init; }
}

/// <summary>A benchmark class whose methods all process the same number of bytes per call.</summary>
public interface IThroughput
{
    /// <summary>
    /// Bytes that one call processes, of the kind that the benchmark's question is about. Read after the parameters are set.
    /// </summary>
    long Bytes { get; }
}
