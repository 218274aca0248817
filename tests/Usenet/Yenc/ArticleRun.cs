using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

/// <summary>Feeds an article to a decoder in pieces, as a connection would, and keeps what came out.</summary>
internal sealed class ArticleRun
{
    private ArticleRun(YencArticleDecoder decoder, byte[] data, bool headerReady, int consumed)
    {
        Decoder = decoder;
        Data = data;
        HeaderReady = headerReady;
        Consumed = consumed;
    }

    public YencArticleDecoder Decoder { get; }

    /// <summary>The bytes written.</summary>
    public byte[] Data { get; }

    public bool HeaderReady { get; }

    /// <summary>Bytes of the input up to the end of the article; -1 if the input ended first.</summary>
    public int Consumed { get; }

    public YencResult Result => Decoder.Result;

    /// <summary>Feeds pieces of the sizes that <paramref name="pieces"/> gives until the article or the input ends.</summary>
    public static ArticleRun Of(
        ReadOnlySpan<byte> input, Func<int>? pieces = null, YencArticleDecoder? decoder = null, bool discard = false)
    {
        decoder ??= new YencArticleDecoder();
        var destination = Array.Empty<byte>();
        var ready = false;
        var position = 0;
        var end = 0;
        while (true)
        {
            var feed = decoder.Feed(input[position..end], out var consumed);
            position += consumed;
            switch (feed)
            {
                case ArticleFeed.Complete:
                    return new ArticleRun(decoder, destination[..decoder.Written], ready, position);
                case ArticleFeed.HeaderReady:
                    Assert.False(ready);
                    ready = true;
                    if (discard)
                    {
                        decoder.Discard();
                    }
                    else
                    {
                        // Room beyond the part must stay untouched.
                        destination = new byte[(int)decoder.Header.PartSize + 3];
                        decoder.SetDestination(destination, 0, destination.Length);
                    }

                    break;
                default:
                    Assert.Equal(end, position);
                    if (end == input.Length)
                        return new ArticleRun(decoder, destination[..decoder.Written], ready, -1);
                    end = Math.Min(input.Length, end + Math.Max(1, pieces?.Invoke() ?? input.Length));
                    break;
            }

            if (destination.Length > 0)
                Assert.Equal(new byte[3], destination[^3..]);
        }
    }
}
