using NzbDav.Torrents.Utp;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Packets of BEP 29, byte by byte.</summary>
public sealed class UtpPacketTests
{
    [Fact]
    public void A_header_is_written_and_read_as_BEP_29_draws_it()
    {
        var bytes = new byte[UtpPacket.HeaderSize];
        UtpPacket.Write(bytes, new UtpHeader(UtpType.Syn, 0x0102, 0x03040506, 0x0708090A, 0x0B0C0D0E, 0x0F10, 0x1112));
        Assert.Equal("41000102030405060708090A0B0C0D0E0F101112", Convert.ToHexString(bytes));
        Assert.True(UtpPacket.TryRead(bytes, out var packet));
        Assert.Equal(
            (UtpType.Syn, (ushort)0x0102, 0x03040506u, 0x0708090Au, 0x0B0C0D0Eu, (ushort)0x0F10, (ushort)0x1112),
            (packet.Type, packet.Id, packet.Sent, packet.Delay, packet.Window, packet.Sequence, packet.Acknowledged));
        Assert.True(packet.Selective.IsEmpty && packet.Payload.IsEmpty);
    }

    /// <summary>
    /// First the type of the first extension, then, for each, the type of the next, its length and its bytes; the payload last.
    /// </summary>
    [Theory]
    [InlineData("01" + "0004AABBCCDD" + "05", "AABBCCDD", "05")]
    [InlineData("02" + "0108FFFFFFFFFFFFFFFF" + "0304AABBCCDD" + "0000" + "0506", "AABBCCDD", "0506")]
    [InlineData("02" + "0003AABBCC", "", "")]
    [InlineData("01" + "0003AABBCC" + "07", "", "07")]
    [InlineData("01" + "0000" + "08", "", "08")]
    public void Unknown_extensions_are_skipped_and_odd_acknowledgements_ignored(string extensions, string selective, string payload)
    {
        byte[] wire = [
            1, .. Convert.FromHexString(extensions[..2]), .. new byte[UtpPacket.HeaderSize - 2], .. Convert.FromHexString(extensions[2..])];
        Assert.True(UtpPacket.TryRead(wire, out var packet));
        Assert.Equal((selective, payload), (Convert.ToHexString(packet.Selective), Convert.ToHexString(packet.Payload)));
    }

    [Fact]
    public void Every_truncation_is_read_or_refused_and_never_throws()
    {
        var whole = Convert.FromHexString("0102" + new string('0', 36) + "0104AABBCCDD" + "0008" + new string('1', 16) + "CAFE");
        Assert.True(UtpPacket.TryRead(whole, out var packet));
        Assert.Equal("CAFE", Convert.ToHexString(packet.Payload));
        for (var length = 0; length < whole.Length; length++)
            Assert.Equal(length >= whole.Length - 2, UtpPacket.TryRead(whole.AsSpan(0, length), out _));
    }

    [Theory]
    [InlineData("d1:ad2:id20:")]
    [InlineData("\0\0\0\u0001abcdefghijklmnopqrst")]
    [InlineData("\u0052aaaaaaaaaaaaaaaaaaaaaaaaa")]
    [InlineData("\u0002aaaaaaaaaaaaaaaaaaaaaaaaa")]
    public void Messages_of_trackers_and_the_DHT_are_none(string text) =>
        Assert.False(UtpPacket.CanBegin(System.Text.Encoding.Latin1.GetBytes(text)));

    [Theory]
    [InlineData(20_000)]
    public void Random_bytes_are_read_or_refused(int rounds)
    {
        var random = new Random(7);
        var read = 0;
        for (var i = 0; i < rounds; i++)
        {
            var bytes = new byte[random.Next(0, 120)];
            random.NextBytes(bytes);
            if (bytes.Length > 1)
                (bytes[0], bytes[1]) = ((byte)((bytes[0] & 0x70) | 1), (byte)(bytes[1] & 3));
            if (!UtpPacket.TryRead(bytes, out var packet))
                continue;
            read++;
            Assert.True(packet.Payload.Length <= bytes.Length - UtpPacket.HeaderSize && packet.Selective.Length % 4 == 0);
        }

        Assert.InRange(read, rounds / 10, rounds);
    }
}
