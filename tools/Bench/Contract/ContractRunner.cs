using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;

namespace NzbDav.Bench.Contract;

/// <summary>Checks that no benchmark allocates more than it declares. Measures nothing else, so it takes only seconds.</summary>
/// <param name="output">Receives the table.</param>
internal sealed class ContractRunner(TextWriter output)
{
    private const int NameWidth = 52;

    private readonly List<string> _broken = [];
    private int _kept;

    /// <summary>The benchmark classes of an assembly.</summary>
    public static IEnumerable<Type> Of(Assembly assembly) => assembly.GetExportedTypes()
        .Where(static type => !type.IsAbstract && type.GetMethods().Any(static method => method.IsDefined(typeof(BenchmarkAttribute))))
        .OrderBy(static type => type.Name, StringComparer.Ordinal);

    /// <summary>Measures each benchmark with each of its parameters.</summary>
    /// <param name="types">Benchmark classes.</param>
    /// <returns>The exit code: 0 if every budget is kept; 1 if not, or if nothing was measured.</returns>
    public async Task<int> RunAsync(IEnumerable<Type> types)
    {
        Say(Row("allocated bytes", "a call", "budget", "a unit", "budget"));
        foreach (var benchmark in types.SelectMany(static type => BenchmarkConverter.TypeToBenchmarks(type).BenchmarksCases))
            await CheckAsync(new BenchmarkInstance(benchmark));
        foreach (var line in _broken)
            Say($"OVER  {line}");
        if (_kept + _broken.Count == 0)
            Say("OVER  nothing was measured: no benchmark was found.");
        Say(string.Create(CultureInfo.InvariantCulture, $"{_kept} budgets kept, {_broken.Count} broken"));
        return _kept > 0 && _broken.Count == 0 ? 0 : 1;
    }

    private async Task CheckAsync(BenchmarkInstance benchmark)
    {
        if (benchmark.Budget is not { } budget)
        {
            Break(benchmark, "declares no budget: put [AllocationBudget(…)] on it.");
            return;
        }

        try
        {
            Judge(benchmark, budget, await MeasureAsync(benchmark));
        }
        catch (PlatformNotSupportedException)
        {
            Say($"{Row(benchmark.Name, "-")}  not on this processor");
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Break(benchmark, $"could not be run: {e.GetType().Name}: {e.Message}");
        }
    }

    private static async Task<double> MeasureAsync(BenchmarkInstance benchmark)
    {
        await benchmark.SetUpAsync();
        try
        {
            return await AllocationMeter.MeasureAsync(benchmark.Bind());
        }
        finally
        {
            await benchmark.CleanUpAsync();
        }
    }

    private void Judge(BenchmarkInstance benchmark, AllocationBudgetAttribute budget, double bytes)
    {
        var (allowed, units) = (benchmark.Allowed!.Value, benchmark.Units);
        var per = budget.Per is null ? [] : new[] { Number(bytes / units, "0.##"), Number(allowed / units, "0.##") };
        Say(Row([benchmark.Name, Number(bytes, "#,0"), Number(allowed, "#,0"), .. per]));
        if (bytes <= allowed)
            _kept++;
        else
            Break(benchmark,
                $"allocates {Number(bytes, "#,0.#")} bytes a call, its budget is {Number(allowed, "#,0.#")}{Terms(budget, units)}.");
    }

    private void Say(string line) => output.WriteLine(line);

    private void Break(BenchmarkInstance benchmark, string complaint) => _broken.Add($"{benchmark.Name}: {complaint}");

    private static string Terms(AllocationBudgetAttribute budget, double units) => budget.Per is not { } per ? ""
        : $" ({Number(budget.Bytes, "0.##")} for each of {Number(units, "#,0")} " +
            $"{per}{(budget.Once > 0 ? $" and {Number(budget.Once, "#,0")} once" : "")})";

    private static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);

    private static string Row(params IReadOnlyList<string> cells) =>
        string.Concat(cells.Select(static (cell, index) => index == 0 ? cell.PadRight(NameWidth) : cell.PadLeft(14))).TrimEnd();
}
