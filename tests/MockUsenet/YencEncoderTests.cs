using FsCheck;
using FsCheck.Fluent;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Tests;

public sealed class YencEncoderTests
{
    [Fact]
    public void Encoded_bytes_decode_to_themselves() =>
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), data => Equal(data)).QuickCheckThrowOnFailure();

    [Fact]
    public void Every_length_around_line_and_vector_borders_round_trips()
    {
        var data = new byte[700];
        new Random(1).NextBytes(data);
        for (var length = 0; length < data.Length; length++)
            Assert.True(Equal(data[..length]), $"length {length}");
    }

    [Fact]
    public void Every_byte_round_trips_in_every_column()
    {
        for (var value = 0; value < 256; value++)
        {
            for (var column = 0; column < 260; column += column is < 4 or (> 120 and < 136) or > 250 ? 1 : 13)
            {
                var data = new byte[261];
                Array.Fill(data, (byte)100);
                data[column] = (byte)value;
                Assert.True(Equal(data), $"byte {value} in column {column}");
            }

            Assert.True(Equal([.. Enumerable.Repeat((byte)value, 400)]), $"400 times {value}");
        }
    }

    [Fact]
    public void Lines_have_128_characters_and_no_unescaped_critical_ones()
    {
        var data = new byte[500_000];
        new Random(9).NextBytes(data);
        var lines = PlainYenc.Lines(Encode(data));
        foreach (var line in lines.SkipLast(1))
            Assert.True(line.Length == 128 || (line.Length == 129 && line[^2] == '='), $"a line of {line.Length}");
        foreach (var line in lines)
        {
            Assert.DoesNotContain((byte)0, line);
            Assert.DoesNotContain((byte)'\n', line);
            Assert.DoesNotContain((byte)'\r', line);
            Assert.NotEqual((byte)'=', line[^1]);
            Assert.False(line[0] is (byte)'\t' or (byte)' ', "white space first");
            Assert.False(line[^1] is (byte)'\t' or (byte)' ', "white space last");
        }

        // About one byte in 64 is escaped: nothing more than what must be.
        Assert.InRange(lines.Sum(line => line.Count(value => value == '=')), 500_000 / 64 * 0.9, 500_000 / 64 * 1.1);
    }

    [Fact]
    public void Only_a_dot_at_the_start_of_a_line_is_doubled()
    {
        var dots = Enumerable.Repeat(unchecked((byte)('.' - 42)), 256).ToArray();
        var encoded = Encode(dots);
        var line = "." + new string('.', 128) + "\r\n";
        Assert.Equal(line + line + ".\r\n", System.Text.Encoding.ASCII.GetString(encoded));
    }

    private static bool Equal(byte[] data) => PlainYenc.Decode(Encode(data)).Payload.AsSpan().SequenceEqual(data);

    private static byte[] Encode(byte[] data)
    {
        var output = new byte[YencEncoder.MaxLength(data.Length)];
        var length = YencEncoder.Encode(data, output);
        return [.. output[..length], .. ".\r\n"u8];
    }
}
