using System.Text;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

public sealed class NzbFuzzTests
{
    private static readonly string[] Tokens =
    [
        "<", ">", "/", "\"", "'", "=", "&", ";", "&lt;", "&#", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE", "[", "]>", "<?", "?>",
        "</nzb>", "<nzb>",
        "<file>", "</file>", "<segment>", "</segment>", "\0", "\uFEFF", "\n", " ",
    ];

    [Fact]
    public void A_document_truncated_at_any_byte_is_an_error_or_unchanged()
    {
        var whole = Encoding.UTF8.GetBytes(NzbSamples.WellFormed + "\n");
        var expected = NzbSamples.Describe(NzbSamples.Read(whole));
        var closed = NzbSamples.WellFormed.LastIndexOf("</nzb>", StringComparison.Ordinal) + "</nzb>".Length;

        for (var length = 0; length <= whole.Length; length++)
        {
            var result = NzbSamples.Read(whole[..length]);
            if (length >= closed)
                Assert.Equal(expected, NzbSamples.Describe(result));
            else
                Assert.False(result.Succeeded, $"cut at {length}");
        }
    }

    [Fact]
    public void A_UTF_16_document_truncated_at_any_byte_is_an_error_or_unchanged()
    {
        var whole = Encoding.Unicode.GetBytes(NzbSamples.WellFormed);
        for (var length = 0; length < whole.Length - 1; length++)
            Assert.False(NzbSamples.Read(whole[..length]).Succeeded, $"cut at {length}");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_damage_never_throws_and_never_depends_on_how_the_stream_is_cut(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 1500; round++)
        {
            var bytes = Mutate(random);

            var result = NzbSamples.Read(bytes);

            AssertSound(result);
            if (round % 10 == 0)
                Assert.Equal(NzbSamples.Describe(result), NzbSamples.Describe(NzbReader.Read(new TrickleStream(bytes))));
        }
    }

    private static byte[] Mutate(Random random)
    {
        var bytes = new List<byte>(Encoding.UTF8.GetBytes(NzbSamples.WellFormed));
        for (var count = random.Next(1, 8); count > 0; count--)
        {
            var at = random.Next(bytes.Count);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes.InsertRange(at, Encoding.UTF8.GetBytes(Tokens[random.Next(Tokens.Length)]));
                    break;
                case 2:
                    bytes.RemoveRange(at, random.Next(Math.Min(40, bytes.Count - at)));
                    break;
                case 3:
                    bytes.InsertRange(random.Next(bytes.Count), bytes.GetRange(at, random.Next(Math.Min(200, bytes.Count - at))));
                    break;
                default:
                    bytes.RemoveAt(at);
                    break;
            }
        }

        return [.. bytes];
    }

    private static void AssertSound(NzbReadResult result)
    {
        Assert.Equal(result.Document is null, result.Error is not null);
        if (result.Error is { } error)
        {
            Assert.True(error.Line >= 1 && error.Column >= 1 && error.Message.Length > 10, error.ToString());
            return;
        }

        Assert.NotEmpty(result.Document!.Files);
        foreach (var file in result.Document.Files)
        {
            Assert.NotEmpty(file.Segments);
            Assert.Equal(file.Segments.Select(s => s.Number).Distinct().Order(), file.Segments.Select(s => s.Number));
            Assert.Equal(file.Segments.Length, file.Segments.Select(s => s.MessageId).Distinct().Count());
            Assert.All(file.Segments,
                s => Assert.True(s.Number >= 0 && s.Bytes >= 0 && s.MessageId.All(c => c > ' ' && c is not ('<' or '>' or '\x7F'))));
        }
    }
}
