using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Planted;

/// <summary>A parser with one fault, to test the fuzzer itself. The command does not list it.</summary>
/// <param name="kind">The fault.</param>
internal sealed class PlantedTarget(FindingKind kind) : FuzzTarget("planted-" + kind.ToString().ToLowerInvariant(), "A planted fault")
{
    /// <summary>One parser for each kind of fault.</summary>
    public static IReadOnlyList<FuzzTarget> All { get; } = [
        .. Enum.GetValues<FindingKind>().Select(static kind => new PlantedTarget(kind))];

    public override int Longest => 64;

    public override IEnumerable<byte[]> Seeds() => [Text("a harmless input")];

    public override object? Run(byte[] input, Cuts cuts) => new PlantedParser(input, cuts).Parse(kind);
}

/// <summary>
/// Fails for inputs that begin with three letters, which it checks one after the other: only coverage feedback finds them quickly. By
/// chance the first two letters occur once in 65,536.
/// </summary>
/// <param name="input">The input.</param>
/// <param name="cuts">How it is delivered.</param>
internal sealed class PlantedParser(byte[] input, Cuts cuts)
{
    /// <summary>Stored in a field: the compiler removes a local array of which only the length is used.</summary>
    private static byte[] _large = [];

    private int _depth;

    /// <summary>Parses the input.</summary>
    /// <param name="kind">The fault.</param>
    public object? Parse(FindingKind kind)
    {
        if (input.Length < 4 || input[0] != 'B')
            return 0;
        if (input[1] != 'A')
            return 1;
        if (input[2] != 'D')
            return 2;
        return kind switch
        {
            FindingKind.Throws => throw new InvalidOperationException("A planted fault."),
            FindingKind.Memory => (_large = new byte[4 << 20]).Length,
            FindingKind.Differs => cuts.At(0, input.Length),
            FindingKind.Hangs => Spin(),
            _ => Overflow(),
        };
    }

    private int Spin()
    {
        while (input.Length > 0)
            _depth++;
        return _depth;
    }

    private int Overflow() => ++_depth < 0 ? 0 : Overflow() + Overflow();
}
