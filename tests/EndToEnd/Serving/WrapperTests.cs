using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Content;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Library.Filling;
using NzbDav.Library.Health;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>
/// A class that wraps another of its own kind passes on all that it is asked. What it does not mention would be answered by a default, and
/// no test of the wrapped class would notice.
/// </summary>
public sealed class WrapperTests
{
    private const BindingFlags Fields = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;

    private static readonly Type[] Types =
        [.. typeof(NzbDavServer).Assembly.GetReferencedAssemblies()
            .Where(static name => name.Name!.StartsWith("NzbDav.", StringComparison.Ordinal)).Select(Assembly.Load)
            .Append(typeof(NzbDavServer).Assembly).SelectMany(static assembly => assembly.GetTypes())
                .Where(static type => type is { IsClass: true, ContainsGenericParameters: false })];

    [Fact]
    public void Wrappers_leave_no_default_of_an_interface_in_place()
    {
        var wrappers = Types.SelectMany(type => type.GetInterfaces().Where(wrapped => IsOurs(wrapped) && Holds(type, wrapped))
            .Select(wrapped => (Type: type, Wrapped: wrapped))).ToArray();
        Assert.Contains((typeof(FailureRecordingRepairer), typeof(Catalog.Tree.IPostRepairer)), wrappers);
        Assert.Contains((typeof(IdFile), typeof(IStoreFile)), wrappers);
        Assert.Empty(wrappers.SelectMany(static wrapper => DefaultsOf(wrapper.Type, wrapper.Wrapped)));
    }

    [Fact]
    public void Readers_that_read_through_another_derive_from_the_one_that_passes_everything_on()
    {
        var readers = Types.Where(static type => type.IsSubclassOf(typeof(ContentReader)) && type != typeof(DelegatingReader)).ToArray();
        Assert.Contains(typeof(FillingReader), readers);
        Assert.Empty(readers.Where(static type => Holds(type, typeof(ContentReader)) && !type.IsSubclassOf(typeof(DelegatingReader)))
            .Select(static type => type.FullName));

        // Who overrides one of these has to pass it on by itself: each is looked at here.
        string[] passedOn = [nameof(ContentReader.SetYieldMode), nameof(ContentReader.Follow), nameof(ContentReader.ReadsOn)];
        var overridden = readers.Where(type => type.IsSubclassOf(typeof(DelegatingReader))
            && Array.Exists(passedOn, name => type.GetMethod(name)!.DeclaringType == type));
        Assert.Empty(overridden.Select(static type => type.FullName));
    }

    /// <summary>What a timer throws would end the process that runs this test, too.</summary>
    [Fact]
    public async Task The_timers_of_the_container_never_end_the_server()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var time = gateway.Services.GetRequiredService<TimeProvider>();
        var (thrown, again) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var timer = time.CreateTimer(
            _ =>
            {
                if (thrown.TrySetResult())
                    throw new InvalidOperationException("a bug");
                again.TrySetResult();
            },
            state: null, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));
        await again.Task.WaitAsync(Deadline.Token);
    }

    [Fact]
    public void The_checks_can_fail() =>
        Assert.Equal(["Forgetful leaves IAnswers.Count to its default"], DefaultsOf(typeof(Forgetful), typeof(IAnswers)));

    private static bool IsOurs(Type type) => type.Namespace?.StartsWith("NzbDav.", StringComparison.Ordinal) == true;

    /// <summary>A parameter of a primary constructor that is used later is a field, too.</summary>
    private static bool Holds(Type type, Type held) => type.GetFields(Fields).Any(field => field.FieldType.IsAssignableTo(held));

    private static IEnumerable<string> DefaultsOf(Type type, Type wrapped)
    {
        var map = type.GetInterfaceMap(wrapped);
        return map.InterfaceMethods.Zip(map.TargetMethods)
            .Where(pair => pair.First is { IsAbstract: false, IsStatic: false, IsVirtual: true } && pair.Second.DeclaringType == wrapped)
            .Select(pair =>
                $"{type.Name} leaves {wrapped.Name}.{pair.First.Name.Replace("get_", "", StringComparison.Ordinal)} to its default");
    }

    private interface IAnswers
    {
        string Name { get; }

        int Count => 0;
    }

    private sealed class Forgetful(IAnswers inner) : IAnswers
    {
        public string Name => inner.Name;
    }
}
