using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Fuzz.Formats;

/// <summary>Bencoded values (BEP 3).</summary>
internal sealed class BencodeTarget() : FuzzTarget("bencode", "Bencoded values")
{
    /// <summary>Words for mutating bencode, in all formats that contain it.</summary>
    public static IReadOnlyList<byte[]> Usual { get; } = [
        .. "d|l|e|i0e|i-1e|i9223372036854775807e|i-0e|0:|1:x|20:|99999999999:|llllllll|eeeeeeee|de|le".Split('|').Select(Text)];

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words => Usual;

    public override object? Run(byte[] input, Cuts cuts)
    {
        var all = new BencodeReader(input);
        var said = new StringBuilder();
        while (all.Read())
        {
            BrokenPromiseException.ThrowUnless(
                all.Start >= 0 && all.Start < all.Position && all.Position <= input.Length, "A token lies in the data.");
            said.Append(CultureInfo.InvariantCulture, $"{all.Token} {all.Integer} {all.Text.Length};");
        }

        // The same value by value, as the parser's callers do it.
        var skipping = new BencodeReader(input);
        skipping.SkipValue();
        BrokenPromiseException.ThrowUnless(skipping.Error is not null || all.Error is not null || skipping.Position <= all.Position,
            "Skipping does not go further than reading.");
        return said.Append(all.Error).ToString();
    }

    /// <summary>Corrects lengths of strings that lead beyond the end.</summary>
    public static void MendLengths(byte[] input, Random random)
    {
        for (var at = 0; at < input.Length - 1; at++)
        {
            if (!char.IsAsciiDigit((char)input[at]) || (at > 0 && char.IsAsciiDigit((char)input[at - 1])))
                continue;
            var end = at;
            long length = 0;
            while (end < input.Length && char.IsAsciiDigit((char)input[end]) && length < int.MaxValue)
                length = (length * 10) + input[end++] - '0';
            if (end >= input.Length || input[end] != ':' || length <= input.Length - end - 1 || random.Next(2) == 0)
                continue;

            // The length of the rest, with as many digits as before.
            var left = Math.Min(input.Length - end - 1, (long)Math.Pow(10, end - at) - 1);
            Encoding.ASCII.GetBytes(left.ToString(CultureInfo.InvariantCulture).PadLeft(end - at, '0'), input.AsSpan(at, end - at));
        }
    }
}
