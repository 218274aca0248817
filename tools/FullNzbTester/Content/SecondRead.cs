using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Content;

/// <summary>
/// Reads ranges that WebDAV served a second time, through the content stream, and compares checksums. For a file without a source.
/// </summary>
internal sealed class SecondRead(IContent content, IReadOnlyList<RangeRecord> ranges, StageRunner stages)
{
    /// <summary>Name of the figure that shows that the comparison took place.</summary>
    public const string Compared = "content_ranges_compared";

    public Task<bool> RunAsync(CancellationToken cancellationToken) => stages.RunAsync("second read", ReadAllAsync, cancellationToken);

    private async Task ReadAllAsync(Stage stage, CancellationToken cancellationToken)
    {
        // Each range once, however often it was served; sorted, so that reading is one pass.
        var all = ranges.Sum(range => range.Length);
        long done = 0;
        foreach (var same in ranges.GroupBy(range => (range.Start, range.Length)).OrderBy(group => group.Key.Start))
        {
            var (start, length) = same.Key;
            if (start + length > content.Length)
            {
                stage.Fail($"{same.First().Stage}: WebDAV served bytes up to {start + length:N0} of a file of {content.Length:N0}.");
                continue;
            }

            var expected = await HashAsync(start, length, cancellationToken);
            foreach (var range in same)
            {
                var right = range.Sha256 == expected;
                stage.Compared(length, right ? 0 : 1);
                if (!right)
                    stage.Fail($"{range.Stage}: the {length:N0} bytes from {start:N0} on are not those of the second read.");
            }

            done += same.Sum(range => range.Length);
            stage.Progress((double)done / all);
        }

        stage.Say("ranges compared in two reads", "WebDAV, and the content stream in another process", new Figure(Compared, ranges.Count));
    }

    private async Task<string> HashAsync(long start, long length, CancellationToken cancellationToken)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        await using var reader = content.OpenReader(start, start + length, ReadIntent.Download);
        while (true)
        {
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                return Convert.ToHexString(hash.GetHashAndReset());
            hash.AppendData(lease.Memory.Span);
        }
    }
}
