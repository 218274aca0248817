using System.Buffers;
using System.Text;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class NntpCommandWriterTests
{
    [Theory]
    [InlineData("a@b")]
    [InlineData("a")]
    [InlineData("part1of9.AbC$-_%!#&'*+/=?^`{|}~@news.example")]
    [InlineData("größe@beispiel")]
    [InlineData("日本語@例え")]
    public void An_id_is_sent_unchanged(string id)
    {
        Assert.True(NntpCommandWriter.IsSendable(id));
        var output = new ArrayBufferWriter<byte>();
        NntpCommandWriter.Write(output, NntpCommand.Body, id);
        Assert.Equal($"BODY <{id}>\r\n", Encoding.UTF8.GetString(output.WrittenSpan));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a b@c")]
    [InlineData("a\r\nQUIT")]
    [InlineData("a\nQUIT")]
    [InlineData("a\rb")]
    [InlineData("a\tb")]
    [InlineData("a\0b")]
    [InlineData("a\u007fb")]
    [InlineData("<a@b>")]
    [InlineData("a>b")]
    [InlineData("a<b")]
    [InlineData(" a@b")]
    [InlineData("a@b\r\n")]
    public void An_id_with_a_line_break_is_refused(string id) => Assert.False(NntpCommandWriter.IsSendable(id));

    [Fact]
    public void The_command_line_keeps_within_512_bytes_in_utf8()
    {
        Assert.True(NntpCommandWriter.IsSendable(new string('a', 500)));
        Assert.False(NntpCommandWriter.IsSendable(new string('a', 501)));
        Assert.True(NntpCommandWriter.IsSendable(new string('ä', 250)));
        Assert.False(NntpCommandWriter.IsSendable(new string('ä', 251)));
        var output = new ArrayBufferWriter<byte>();
        NntpCommandWriter.Write(output, NntpCommand.Body, new string('ä', 250));
        Assert.InRange(output.WrittenCount, 500, 512);
    }

    [Fact]
    public void Every_sendable_id_makes_exactly_one_line()
    {
        var random = new Random(9);
        var sent = 0;
        for (var i = 0; i < 50_000; i++)
        {
            var chars = new char[random.Next(1, 12)];
            for (var c = 0; c < chars.Length; c++)
                chars[c] = (char)random.Next(random.Next(3) switch { 0 => 0x90, 1 => 0x100, _ => 0x10000 });
            var id = new string(chars);
            if (!NntpCommandWriter.IsSendable(id))
                continue;
            sent++;
            var output = new ArrayBufferWriter<byte>();
            NntpCommandWriter.Write(output, NntpCommand.Body, id);
            Assert.Equal(output.WrittenCount - 2, output.WrittenSpan.IndexOfAny((byte)'\r', (byte)'\n'));
            Assert.Equal(1, output.WrittenSpan.Count((byte)' '));
            Assert.Equal(1, output.WrittenSpan.Count((byte)'>'));
        }

        Assert.InRange(sent, 1000, 50_000);
    }

    [Fact]
    public void Commands_follow_one_another()
    {
        var output = new ArrayBufferWriter<byte>();
        NntpCommandWriter.Write(output, NntpCommand.Body, "a@b");
        NntpCommandWriter.Write(output, NntpCommand.Date, "");
        NntpCommandWriter.Write(output, NntpCommand.Quit, "");
        Assert.Equal("BODY <a@b>\r\nDATE\r\nQUIT\r\n", Encoding.UTF8.GetString(output.WrittenSpan));
    }
}
