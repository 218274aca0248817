using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Fuzz.Command;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Formats;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Tests;

/// <summary>Checksums are made right again, so that a changed field reaches the parser.</summary>
public sealed class MendTests
{
    /// <summary>A byte of a header is changed: the reader refuses it, and takes it once it is mended.</summary>
    [Theory]
    [InlineData("rar5", 0, 14)]
    [InlineData("rar4", 0, 10)]
    [InlineData("7z", 0, 14)]
    [InlineData("udf", 0, (35 * 2_048) + 6)]
    public void A_changed_header_is_read_once_its_checksum_is_fixed(string name, int seed, int at)
    {
        var target = TargetList.Find(name)!;
        var whole = target.Seeds().ElementAt(seed);
        var changed = (byte[])whole.Clone();
        changed[at] ^= 0x40;
        var broken = target.Tell(target.Run(changed, Cuts.Whole));
        target.Mend(changed, new Random(1));
        Assert.NotEqual(broken, target.Tell(target.Run(changed, Cuts.Whole)));
        Assert.Equal(whole, Mended(target, (byte[])whole.Clone()));
    }

    [Fact]
    public void A_changed_packet_gets_the_MD5_of_its_content()
    {
        var target = TargetList.Find("par2")!;
        var packet = target.Seeds().First();
        packet[64] ^= 1;
        target.Mend(packet, new Random(1));

        // "Packet Header": the length at 8, the MD5 at 16 of all from 32 on.
        var length = (int)BinaryPrimitives.ReadInt64LittleEndian(packet.AsSpan(8));
#pragma warning disable CA5351 // The format's own checksum.
        Assert.Equal(MD5.HashData(packet.AsSpan(32, length - 32)), packet[16..32]);
#pragma warning restore CA5351
    }

    [Fact]
    public void A_string_length_beyond_the_input_is_reduced_half_of_the_time()
    {
        var mended = Enumerable.Range(0, 40).Select(static seed =>
        {
            var input = "d1:a99:bcde"u8.ToArray();
            BencodeTarget.MendLengths(input, new Random(seed));
            return System.Text.Encoding.ASCII.GetString(input);
        });
        Assert.Equal(["d1:a04:bcde", "d1:a99:bcde"], mended.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal));
    }

    private static byte[] Mended(FuzzTarget target, byte[] input)
    {
        target.Mend(input, new Random(1));
        return input;
    }
}
