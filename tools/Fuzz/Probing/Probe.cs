using System.Diagnostics;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Probing;

/// <summary>Runs a parser over an input and checks its result. Not thread-safe.</summary>
internal static class Probe
{
    /// <summary>Characters of a result that a story shows, from the first difference on.</summary>
    private const int Shown = 400;

    /// <summary>
    /// Number of runs before too much memory counts as a fault, because other allocations of the process are counted too.
    /// </summary>
    private const int Attempts = 3;

    /// <summary>Parses the input whole.</summary>
    /// <param name="target">The parser.</param>
    /// <param name="input">The input.</param>
    /// <param name="result">Its result.</param>
    /// <returns>Null if nothing is wrong.</returns>
    public static Finding? RunOnce(FuzzTarget target, byte[] input, out object? result) => Measure(target, input, Cuts.Whole, out result);

    /// <summary>Parses the same input, cut; the results must be equal.</summary>
    /// <param name="target">The parser.</param>
    /// <param name="input">The input.</param>
    /// <param name="result">Its result for the whole input.</param>
    /// <param name="seed">Seed of the cuts.</param>
    /// <returns>Null if nothing is wrong.</returns>
    public static Finding? Compare(FuzzTarget target, byte[] input, object? result, int seed)
    {
        if (!target.IsCut)
            return null;
        var expected = target.Tell(result);
        foreach (var cuts in (ReadOnlySpan<Cuts>)[Cuts.Bytes, new Cuts(CutKind.Mixed, seed)])
        {
            var finding = Measure(target, input, cuts, out var other);
            if (finding is { Kind: not FindingKind.Memory })
                return finding;
            var actual = target.Tell(other);
            if (string.Equals(expected, actual, StringComparison.Ordinal))
                continue;
            var at = Math.Max(0, expected.AsSpan().CommonPrefixLength(actual) - 20);
            return new Finding(FindingKind.Differs, "", $"whole: {Part(expected, at)}\n{cuts.Kind}: {Part(actual, at)}");
        }

        return null;
    }

    /// <summary>Both checks.</summary>
    public static Finding? Judge(FuzzTarget target, byte[] input, int seed) =>
        RunOnce(target, input, out var result) ?? Compare(target, input, result, seed);

    private static Finding? Measure(FuzzTarget target, byte[] input, Cuts cuts, out object? result)
    {
        var most = target.MostAllocated(input.Length);
        for (var attempt = 1; ; attempt++)
        {
            result = null;
            var before = GC.GetTotalAllocatedBytes();
            try
            {
                result = target.Run(input, cuts);
            }
            catch (Exception wrong)
            {
                return new Finding(FindingKind.Throws, $"{wrong.GetType().Name} at {Place(wrong)}", wrong.ToString());
            }

            // Of all threads, because parsers may use several.
            var allocated = GC.GetTotalAllocatedBytes() - before;
            if (allocated <= most)
                return null;
            if (attempt == Attempts)
                return new Finding(FindingKind.Memory, "",
                    $"{allocated:N0} bytes allocated for an input of {input.Length:N0}; at most {most:N0} are allowed.");
        }
    }

    /// <summary>The innermost method of this program, which identifies a fault.</summary>
    private static string Place(Exception wrong)
    {
        var ours = new StackTrace(wrong).GetFrames()
            .Select(static frame => frame.GetMethod())
            .FirstOrDefault(static method => method?.DeclaringType?.FullName is { } type && type.StartsWith(
                "NzbDav.", StringComparison.Ordinal) && !type.StartsWith("NzbDav.Fuzz.Probing", StringComparison.Ordinal));
        return ours is null ? "?" : $"{ours.DeclaringType!.FullName}.{ours.Name}";
    }

    private static string Part(string text, int at) => text.Length <= at ? "(ends)" : text.Substring(at, Math.Min(Shown, text.Length - at));
}
