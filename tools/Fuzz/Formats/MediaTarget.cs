using NzbDav.Content;
using NzbDav.Fuzz.Contract;
using NzbDav.Library.Media;
using NzbDav.Library.Starts;

namespace NzbDav.Fuzz.Formats;

/// <summary>A media file: its tracks, and the parts of it that a player reads first.</summary>
/// <param name="name">The extension.</param>
/// <param name="describes">The container.</param>
/// <param name="words">Its magic numbers, in hexadecimal.</param>
internal sealed class MediaTarget(string name, string describes, params string[] words) : FuzzTarget(name, describes)
{
    /// <summary>Zero bytes after the input: a small file would be kept whole, without being parsed.</summary>
    private const long Zeros = 64 << 20;

    public override int Longest { get; init; } = 16 << 10;

    public override IReadOnlyList<byte[]> Words { get; } = [.. words.Select(Convert.FromHexString)];

    public override long MostAllocated(int length) => 16 << 20;

    public override object? Run(byte[] input, Cuts cuts)
    {
        var content = new CutContent(input, cuts, Zeros);
        var info = Synchronously.Wait(MediaReader.ReadAsync(content, CancellationToken.None));
        var ranges = Synchronously.Wait(StartPlan.ReadAsync(content, "a." + Name, ReadIntent.Import, CancellationToken.None));
        foreach (var range in ranges)
            BrokenPromiseException.ThrowUnless(
                range.Start >= 0 && range.Length > 0 && range.Length <= content.Length - range.Start, "A range lies in the file.");
        return (info, ranges);
    }
}
