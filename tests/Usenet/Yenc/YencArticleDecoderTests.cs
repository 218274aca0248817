using System.Text;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

public sealed class YencArticleDecoderTests
{
    private static readonly byte[] Data = YencArticle.RandomBytes(3000);

    [Fact]
    public void DecodesAPart()
    {
        var run = ArticleRun.Of(YencArticle.Part(Data, begin: 716_800, fileSize: 10_000_000, part: 2, total: 14, name: "a file.rar"));

        Assert.Equal(YencResult.Ok, run.Result);
        Assert.True(run.Decoder.CrcVerified);
        Assert.Equal(Data, run.Data);
        var header = run.Decoder.Header;
        Assert.Equal(("a file.rar", 10_000_000), (header.Name, header.FileSize));
        Assert.Equal((2, 14, 716_800, 3000), (header.Part, header.TotalParts, header.Begin, header.PartSize));
    }

    [Fact]
    public void DecodesAFileInOneArticle()
    {
        var run = ArticleRun.Of(YencArticle.Single(Data));
        Assert.Equal(YencResult.Ok, run.Result);
        Assert.True(run.Decoder.CrcVerified);
        Assert.Equal(Data, run.Data);
        Assert.Equal((0, 3000), (run.Decoder.Header.Begin, run.Decoder.Header.PartSize));
    }

    [Fact]
    public void DecodesWhateverThePieces()
    {
        byte[] article = [.. "Subject: =ybegin\r\nX: y\r\n\r\n\r\n=yfoo\r\n"u8, .. YencArticle.Part(Data), .. "200 next"u8];
        var length = article.Length - "200 next".Length;
        for (var size = 1; size < 200; size++)
        {
            var piece = size;
            var run = ArticleRun.Of(article, () => piece);
            Assert.Equal((YencResult.Ok, length), (run.Result, run.Consumed));
            Assert.Equal(Data, run.Data);
        }

        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var run = ArticleRun.Of(article, () => random.Next(1, 300));
            Assert.Equal((YencResult.Ok, length), (run.Result, run.Consumed));
            Assert.Equal(Data, run.Data);
        }
    }

    [Fact]
    public void DecodesWithASplitAtEveryByte()
    {
        var data = YencArticle.RandomBytes(700);
        var article = YencArticle.Part(data);
        for (var split = 0; split <= article.Length; split++)
        {
            var first = split;
            var pieces = new Queue<int>([first, article.Length]);
            var run = ArticleRun.Of(article, () => pieces.Count > 0 ? pieces.Dequeue() : 1);
            Assert.Equal((YencResult.Ok, article.Length), (run.Result, run.Consumed));
            Assert.Equal(data, run.Data);
        }
    }

    [Fact]
    public void FindsTheTerminatorWhereverTheArticleIsCut()
    {
        var article = YencArticle.Part(YencArticle.RandomBytes(700));
        for (var cut = 0; cut < article.Length - 3; cut++)
        {
            var run = ArticleRun.Of([.. article[..cut], .. "\r\n.\r\n"u8, .. "220"u8]);
            Assert.True(run.Consumed > cut, $"cut at {cut}");
            Assert.True(run.Result is not (YencResult.None or YencResult.Discarded), $"{run.Result} at {cut}");

            // Without the terminator the article never ends.
            Assert.Equal(-1, ArticleRun.Of(article.AsSpan(0, cut)).Consumed);
        }
    }

    [Theory]
    [InlineData(".\r\n", YencResult.NotYenc)]
    [InlineData("hello\r\nworld\r\n.\r\n", YencResult.NotYenc)]
    [InlineData("=yend size=1\r\n.\r\n", YencResult.NotYenc)]
    [InlineData("=ypart begin=1 end=3\r\nabc\r\n.\r\n", YencResult.NotYenc)]
    [InlineData("=ybeginner size=3 name=a\r\nabc\r\n.\r\n", YencResult.NotYenc)]
    [InlineData("=ybegin\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin line=128 name=a\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin line=128 size=x name=a\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin line=128 size=0 name=a\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin line=128 size=0 name=a\r\n=yend size=0\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin line=128 size=8388609 name=a\r\nabc\r\n.\r\n", YencResult.Oversized)]
    [InlineData("=ybegin line=128 size=99999999999999999999 name=a\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=0 end=3\r\nabc\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=0 end=2\r\nabc\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=0 end=3\r\nabc\r\n=yend size=3\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=9\r\nabc\r\n=yend size=3\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=9\r\nabc\r\n=yend size=9\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=9\r\nabc\r\n=yend size=3 pcrc32=00000000\r\n.\r\n",
        YencResult.SizeMismatch)]
    [InlineData("=ybegin part=2 size=10 name=a =ypart begin=4 end=6\r\nabc\r\n=yend size=3\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin part=2 size=10 begin=4 end=6 name=a\r\nabc\r\n=yend size=3\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=3 end=2\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=9223372036854775807\r\nabc\r\n.\r\n", YencResult.Oversized)]
    [InlineData("=ybegin part=2 size=10 name=a\r\nabc\r\n.\r\n", YencResult.BadHeader)]
    [InlineData("=ybegin size=3 name=a\r\n=yend size=3\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nab\r\n=yend size=3\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabcd\r\n=yend size=3\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabcd\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n=yend size=4\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n=yend size=3 crc32=00000000\r\n.\r\n", YencResult.CrcMismatch)]
    [InlineData(
        "=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=3\r\nabc\r\n=yend size=3 pcrc32=00000000\r\n.\r\n", YencResult.CrcMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n=yend size=3\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n=ybegin size=4 name=b\r\nabcd\r\n=yend size=4\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin size=3 name=a\r\nab\r\n=ybegin size=4 name=b\r\nabcd\r\n=yend size=4\r\n.\r\n", YencResult.SizeMismatch)]
    [InlineData("=ybegin size=3 name=a\r\nabc\r\n=yend size=3\r\njunk\r\n=yend size=9\r\n=ybegin size=1 name=b\r\n.\r\n", YencResult.Ok)]
    [InlineData("=ybegin size=3 name=a\nabc\n=yend size=3\n\r\n.\r\n", YencResult.Ok)] // LF alone.
    [InlineData("\r\n\r\n=ybegin size=3 name=a\r\n\r\nab\r\n\r\nc\r\n=yend size=3 crc32=\r\n.\r\n", YencResult.Ok)]
    // The file's checksum says nothing of a part.
    [InlineData("=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=3\r\nabc\r\n=yend size=3 crc32=00000000\r\n.\r\n", YencResult.Ok)]
    internal void JudgesAndStaysInStep(string article, YencResult expected)
    {
        var input = Encoding.Latin1.GetBytes(article + "220 0 next\r\n");
        for (var size = 1; size <= input.Length; size++)
        {
            var piece = size;
            var run = ArticleRun.Of(input, () => piece);
            Assert.Equal((expected, article.Length), (run.Result, run.Consumed));
            Assert.False(run.Decoder.CrcVerified);
            if (expected == YencResult.Ok)
                Assert.Equal("abc", Encoding.Latin1.GetString([.. run.Data.Select(static value => (byte)(value + 42))]));
        }
    }

    [Fact]
    public void TrustsTheChecksumMoreThanTheSizeInTheTrailer()
    {
        var crc = YencArticle.Checksum([.. "abc"u8.ToArray().Select(static value => (byte)(value - 42))]);
        var run = ArticleRun.Of(Encoding.Latin1.GetBytes(
            $"=ybegin part=1 size=10 name=a\r\n=ypart begin=1 end=3\r\nabc\r\n=yend size=10 pcrc32=FFFFFFFF{crc:X8}\r\n.\r\n"));
        Assert.Equal(YencResult.Ok, run.Result);
        Assert.True(run.Decoder.CrcVerified);
    }

    [Fact]
    public void NoticesEveryDamagedByte()
    {
        var data = YencArticle.RandomBytes(300);
        var article = YencArticle.Part(data);
        var start = article.AsSpan().IndexOf("end=300\r\n"u8) + 9;
        var end = article.AsSpan().LastIndexOf("=yend"u8);
        for (var at = start; at < end; at++)
        {
            var damaged = article.ToArray();
            damaged[at] ^= 0x80;
            var run = ArticleRun.Of(damaged);
            Assert.Equal(damaged.Length, run.Consumed);
            Assert.True(run.Result is YencResult.CrcMismatch or YencResult.SizeMismatch
                || (run.Result == YencResult.Ok && run.Data.AsSpan().SequenceEqual(data)), $"{run.Result} at {at}");
        }
    }

    [Fact]
    public void SurvivesJunkBetweenArticles()
    {
        var decoder = new YencArticleDecoder();
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var article = YencArticle.Part(YencArticle.RandomBytes(random.Next(1, 2000), seed));
            for (var damage = random.Next(0, 20); damage > 0; damage--)
                article[random.Next(article.Length - 5)] = (byte)random.Next(256);

            // Damage may have made a terminator earlier; what counts is that one is found and that the next article is whole.
            decoder.Reset();
            var run = ArticleRun.Of(article, () => random.Next(1, 500), decoder);
            Assert.InRange(run.Consumed, 1, article.Length);

            decoder.Reset();
            run = ArticleRun.Of(YencArticle.Part(Data), () => random.Next(1, 500), decoder);
            Assert.Equal(YencResult.Ok, run.Result);
            Assert.Equal(Data, run.Data);
        }
    }

    [Fact]
    public void SwallowsLinesLongerThanAnyBuffer()
    {
        var name = new string('n', 5000);
        var junk = new string('x', 100_000) + "\r\n=y" + new string('z', 100_000) + "\r\n";
        byte[] input = [.. Encoding.Latin1.GetBytes(junk), .. YencArticle.Part(Data, name: name)];
        foreach (var size in new[] { 1, 1000, input.Length })
        {
            var run = ArticleRun.Of(input, () => size);
            Assert.Equal((YencResult.Ok, input.Length), (run.Result, run.Consumed));
            Assert.StartsWith("nnnn", run.Decoder.Header.Name, StringComparison.Ordinal);
            Assert.InRange(run.Decoder.Header.Name.Length, 900, 1024);
        }
    }

    [Fact]
    public void SwallowsDataBeyondThePart()
    {
        var article = Encoding.Latin1.GetBytes(
            "=ybegin part=1 total=1 size=3 name=a\r\n=ypart begin=1 end=3\r\n" + new string('x', 100_000) + "\r\n=yend size=3\r\n.\r\n");
        var run = ArticleRun.Of(article, () => 777);
        Assert.Equal((YencResult.SizeMismatch, article.Length, 3), (run.Result, run.Consumed, run.Data.Length));
    }

    [Fact]
    public void DiscardsToTheEnd()
    {
        var article = YencArticle.Part(Data);
        var run = ArticleRun.Of([.. article, .. "x"u8], () => 100, discard: true);
        Assert.True(run.HeaderReady);
        Assert.Equal((YencResult.Discarded, article.Length, 0), (run.Result, run.Consumed, run.Data.Length));
    }

    [Fact]
    public void DiscardsInTheMiddleAndWritesNoMore()
    {
        var article = YencArticle.Part(Data);
        for (var at = 1; at < article.Length; at += 7)
        {
            var decoder = new YencArticleDecoder();
            var destination = new byte[Data.Length];
            var feed = decoder.Feed(article.AsSpan(0, at), out var consumed);
            if (feed == ArticleFeed.HeaderReady)
            {
                decoder.SetDestination(destination);
                Assert.Equal(ArticleFeed.NeedMore, decoder.Feed(article.AsSpan(consumed, at - consumed), out _));
            }

            decoder.Discard();
            var before = destination.ToArray();
            var end = decoder.Feed(article.AsSpan(at), out consumed);
            Assert.Equal((ArticleFeed.Complete, article.Length - at), (end, consumed));
            Assert.True(decoder.Result is YencResult.Discarded or YencResult.Ok);
            Assert.Equal(before, destination);
        }
    }

    [Fact]
    public void RefusesToGoOnWithoutADestination()
    {
        var article = YencArticle.Part(Data);
        var decoder = new YencArticleDecoder();
        Assert.Throws<InvalidOperationException>(() => decoder.SetDestination(new byte[10_000]));
        Assert.Equal(ArticleFeed.HeaderReady, decoder.Feed(article, out var consumed));
        Assert.Throws<InvalidOperationException>(() => decoder.Feed(default, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => decoder.SetDestination(new byte[Data.Length - 1]));
        decoder.SetDestination(new byte[Data.Length], 0, Data.Length);
        Assert.Equal(ArticleFeed.Complete, decoder.Feed(article.AsSpan(consumed), out _));
        Assert.Throws<InvalidOperationException>(() => decoder.Feed(default, out _));
    }

    [Fact]
    public void PublishesWhatIsWrittenSoFar()
    {
        var article = YencArticle.Part(Data);
        var decoder = new YencArticleDecoder();
        var destination = new byte[Data.Length];
        Assert.Equal(ArticleFeed.HeaderReady, decoder.Feed(article, out var position));
        decoder.SetDestination(destination);
        var last = 0;
        while (position < article.Length)
        {
            decoder.Feed(article.AsSpan(position, Math.Min(50, article.Length - position)), out var consumed);
            position += consumed;
            Assert.InRange(decoder.Written, last, last + 50);
            last = decoder.Written;
            Assert.Equal(Data[..last], destination[..last]);
        }

        Assert.Equal(Data.Length, last);
    }
}
