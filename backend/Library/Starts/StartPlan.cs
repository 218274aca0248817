using System.Collections.Frozen;
using NzbDav.Content;
using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>
/// The ranges of a file that players and library scans read first: the container's head with the beginning of its data, and the places that
/// its index names. The sizes are those that ffprobe 5 and 7 were seen to read.
/// </summary>
internal static class StartPlan
{
    /// <summary>Files up to this many bytes are pinned whole, as they are read whole.</summary>
    private const long Small = 128 << 10;

    /// <summary>Texts and images beside a film up to this many bytes are pinned whole. A larger one is something else.</summary>
    private const long LargestText = 8 << 20;

    /// <summary>
    /// Bytes that ffmpeg reads of a stream that does not state its format (its option probesize), plus what sockets hold.
    /// </summary>
    private const long Probed = 5_000_000 + (1536 << 10);

    /// <summary>Bytes at the head of a file whose container states its format at the beginning.</summary>
    private const long HeaderBytes = 2 << 20;

    /// <summary>
    /// Bytes at the end of a stream: ffmpeg searches the last 250,000 bytes for a time stamp, then twice and four times as many.
    /// </summary>
    private const long LastStamps = 1 << 20;

    private static readonly FrozenSet<string> Texts = FrozenSet.Create(
        StringComparer.OrdinalIgnoreCase, ".srt", ".ass", ".ssa", ".sub", ".idx", ".vtt", ".sup", ".smi", ".lrc", ".nfo", ".txt", ".xml",
        ".jpg", ".jpeg", ".png", ".webp", ".tbn", ".cue", ".m3u", ".m3u8");

    /// <summary>Reads the parts of the file that the plan needs.</summary>
    /// <param name="content">The file's bytes.</param>
    /// <param name="name">Its name.</param>
    /// <param name="intent">How urgent it is.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>In order; none when the file is neither played nor scanned.</returns>
    /// <exception cref="ContentException">The bytes cannot be read.</exception>
    public static async ValueTask<IReadOnlyList<ByteSpan>> ReadAsync(
        IContent content, string name, ReadIntent intent, CancellationToken cancellationToken)
    {
        var ranges = new StartRanges(content.Length);
        if (content.Length <= Small || (content.Length <= LargestText && Texts.Contains(Path.GetExtension(name))))
        {
            ranges.Add(0, content.Length);
            return ranges.ToRanges();
        }

        await using var stream = new CombinedStream(content, intent);
        var window = new MediaWindow(stream);
        try
        {
            var head = await window.ReadAsync(0, 1_024, cancellationToken);
            switch (MediaReader.Name(head.Span))
            {
                case MediaReader.Matroska:
                    await MatroskaStart.AddAsync(window, ranges, Probed, cancellationToken);
                    break;
                case MediaReader.Mp4:
                    await Mp4Start.AddAsync(window, ranges, cancellationToken);
                    break;
                case MediaReader.Avi:
                    await RiffStart.AddAsync(window, ranges, cancellationToken);
                    break;
                case MediaReader.Transport or MediaReader.ProgramStream:
                    ranges.Add(0, Probed);
                    ranges.Add(content.Length - LastStamps, LastStamps);
                    break;
                case null:
                    break;
                default:
                    ranges.Add(0, HeaderBytes);
                    ranges.Add(content.Length - Small, Small);
                    break;
            }
        }
        catch (MediaLimitException)
        {
            // Headers longer than those of any film: keep what was found so far.
        }

        return ranges.ToRanges();
    }
}
