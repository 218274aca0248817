using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.Fuzz.Contract;
using NzbDav.WebDav.Files;

namespace NzbDav.Fuzz.Formats;

/// <summary>
/// Range and conditional headers (RFC 9110 §13, §14): the first line is the range, the second entity tags, the third a date.
/// </summary>
internal sealed class RangesTarget() : FuzzTarget("ranges", "Range and condition headers")
{
    private const string Tag = "\"a\"";

    public override int Longest { get; init; } = 4 << 10;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [.. "bytes=|bytes |-|,|0-0|-1|0-|9223372036854775807|9223372036854775808|\"a\"|W/\"a\"|*|\n|Sun, 06 Nov 1994 08:49:37 GMT|\t| ".Split('|').Select(Text)];

    public override object? Run(byte[] input, Cuts cuts)
    {
        var said = new StringBuilder();
        var lines = Encoding.Latin1.GetString(input).Split('\n');
        foreach (var length in (ReadOnlySpan<long>)[0, 1, 1_000, long.MaxValue])
        {
            var ranges = ByteRanges.Evaluate(lines[0], length);
            said.Append(ranges.Outcome).Append(' ').AppendJoin(' ', ranges.Parts ?? []);
            BrokenPromiseException.ThrowUnless(
                (ranges.Parts?.Length ?? 0) <= ByteRanges.MaxParts, "No more parts are served than allowed.");
            foreach (var part in ranges.Parts ?? [])
                BrokenPromiseException.ThrowUnless(
                    part.Start >= 0 && part.Start < part.End && part.End <= length, "A part lies in the file.");
        }

        var tags = lines.Length > 1 ? lines[1] : "";
        var date = lines.Length > 2 ? lines[2] : "";
        var headers = new HeaderDictionary
        { ["If-Match"] = tags, ["If-None-Match"] = tags, ["If-Modified-Since"] = date, ["If-Unmodified-Since"] = date };
        foreach (var isRead in (ReadOnlySpan<bool>)[true, false])
            said.Append(Preconditions.Evaluate(headers, isRead, Tag, DateTimeOffset.UnixEpoch));
        return said.Append(
            CultureInfo.InvariantCulture,
            $" {Preconditions.RangeApplies(tags, Tag, DateTimeOffset.UnixEpoch)} " +
            $"{Preconditions.RangeApplies(date, Tag, DateTimeOffset.UnixEpoch)} {EntityTags.Contains(tags, Tag, weak: true)}").ToString();
    }
}
