using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Planted;

/// <summary>A parser with one fault, to test the fuzzer itself. The command does not list it.</summary>
/// <param name="kind">The fault.</param>
internal sealed class PlantedTarget(FindingKind kind) : FuzzTarget("planted-" + kind.ToString().ToLowerInvariant(), "A planted fault")
{
    /// <summary>One parser for each kind of fault.</summary>
    public static IReadOnlyList<FuzzTarget> All { get; } = [.. Enum.GetValues<FindingKind>().Select(static kind => new PlantedTarget(kind))];

    public override int Longest => 64;

    public override IEnumerable<byte[]> Seeds() => [Text("a harmless input")];

    public override object? Run(byte[] input, Cuts cuts) => new PlantedParser(input, cuts).Parse(kind);
}
