using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Tests;

public sealed class PostTests
{
    [Fact]
    public void Segments_cover_the_file_and_decode_to_its_bytes()
    {
        var file = Post.Seeded(out var store);
        Assert.Equal(9, file.Segments.Count);
        Assert.Equal(9, store.Count);
        long offset = 0;
        foreach (var segment in file.Segments)
        {
            Assert.Equal(offset, segment.Offset);
            var article = PlainYenc.Decode(segment.Body.Span);
            Assert.Equal(Post.PayloadOf(segment), article.Payload);
            Assert.Equal("file.bin", article.Fields["ybegin.name"]);
            Assert.Equal(42_000, article.Number("ybegin.size"));
            Assert.Equal(9, article.Number("ybegin.total"));
            Assert.Equal(128, article.Number("ybegin.line"));
            Assert.Equal(segment.Number, article.Number("ybegin.part"));
            Assert.Equal(segment.Offset + 1, article.Number("ypart.begin"));
            Assert.Equal(segment.Offset + segment.Size, article.Number("ypart.end"));
            Assert.Equal(segment.Size, article.Number("yend.size"));
            Assert.Equal(segment.Number, article.Number("yend.part"));
            Assert.Equal($"{PlainYenc.Crc(article.Payload):x8}", article.Fields["yend.pcrc32"]);
            Assert.Equal(segment.Body.Length - 3, segment.EncodedSize);
            offset += segment.Size;
        }

        Assert.Equal(file.Length, offset);
    }

    [Fact]
    public void A_single_part_has_no_part_line_and_a_plain_crc()
    {
        var file = Post.Seeded(out _, 1_000);
        var article = PlainYenc.Decode(Assert.Single(file.Segments).Body.Span);
        Assert.DoesNotContain("ypart.begin", article.Fields.Keys);
        Assert.DoesNotContain("ybegin.part", article.Fields.Keys);
        Assert.DoesNotContain("yend.part", article.Fields.Keys);
        Assert.Equal($"{PlainYenc.Crc(Post.PayloadOf(file.Segments[0])):x8}", article.Fields["yend.crc32"]);
    }

    [Fact]
    public void An_empty_file_is_one_empty_article()
    {
        var file = Post.Seeded(out _, 0);
        var article = PlainYenc.Decode(Assert.Single(file.Segments).Body.Span);
        Assert.Empty(article.Payload);
        Assert.Equal("00000000", article.Fields["yend.crc32"]);
    }

    [Fact]
    public void Parts_can_be_irregular()
    {
        int[] sizes = [100, 7_000, 1];
        var file = Post.Seeded(out _, 10_000, new PostOptions { PartSize = index => index < sizes.Length ? sizes[index] : 2_000 });
        Assert.Equal([100, 7_000, 1, 2_000, 899], file.Segments.Select(segment => segment.Size));
        Assert.Equal(7_101, PlainYenc.Decode(file.Segments[2].Body.Span).Number("ypart.end"));
    }

    [Fact]
    public void Articles_can_be_posted_with_defects()
    {
        var file = Post.Seeded(out _, options: new PostOptions
        {
            ArticleSize = 5_000,
            Shape = index => index switch
            {
                1 => ArticleShape.NoTrailingCrc,
                2 => ArticleShape.NotYenc,
                3 => ArticleShape.WrongFileSize,
                _ => ArticleShape.Regular,
            },
        });
        var withoutCrc = PlainYenc.Decode(file.Segments[1].Body.Span);
        Assert.DoesNotContain("yend.pcrc32", withoutCrc.Fields.Keys);
        Assert.Equal(Post.PayloadOf(file.Segments[1]), withoutCrc.Payload);
        Assert.Empty(PlainYenc.Decode(file.Segments[2].Body.Span).Fields);
        var wrongSize = PlainYenc.Decode(file.Segments[3].Body.Span);
        Assert.NotEqual(42_000, wrongSize.Number("ybegin.size"));
        Assert.Equal(Post.PayloadOf(file.Segments[3]), wrongSize.Payload);
    }

    [Fact]
    public void Names_can_be_obfuscated_but_agree_within_a_file()
    {
        var file = Post.Seeded(out _, options: new PostOptions { ArticleSize = 5_000, Obfuscated = true });
        var names = file.Segments.Select(segment => PlainYenc.Decode(segment.Body.Span).Fields["ybegin.name"]).Distinct();
        var name = Assert.Single(names);
        Assert.DoesNotContain("file", name, StringComparison.Ordinal);
        Assert.Equal($"[1/1] - \"{name}\" yEnc (1/9)", file.Subject);
    }

    [Fact]
    public void Files_of_one_post_are_numbered()
    {
        var store = new ArticleStore();
        var files = store.AddPost([("a.rar", new MemorySource(new byte[10])), ("b.rar", new MemorySource(new byte[20]))]);
        Assert.Equal("[1/2] - \"a.rar\" yEnc (1/1)", files[0].Subject);
        Assert.Equal("[2/2] - \"b.rar\" yEnc (1/1)", files[1].Subject);
        Assert.Equal(files, store.Files);
    }

    [Fact]
    public void Message_ids_depend_on_the_seed_alone()
    {
        var one = Ids(new ArticleStore(1));
        Assert.Equal(one, Ids(new ArticleStore(1)));
        Assert.Empty(one.Intersect(Ids(new ArticleStore(2))));
        Assert.Equal(one.Count, one.Distinct().Count());

        static List<string> Ids(ArticleStore store)
        {
            var options = new PostOptions { ArticleSize = 10 };
            store.AddFile("same", new MemorySource(new byte[95]), options);
            store.AddFile("same", new MemorySource(new byte[95]), options);
            return [.. store.Files.SelectMany(file => file.Segments).Select(segment => segment.MessageId)];
        }
    }

    [Fact]
    public async Task All_articles_can_be_encoded_in_advance()
    {
        var file = Post.Seeded(out var store);
        await store.EncodeAllAsync();
        Assert.All(file.Segments, segment => Assert.Equal(segment.Body.Length - 3, segment.EncodedSize));
        file.Segments[0].Forget();
        Assert.InRange(file.Segments[0].EncodedSize, file.Segments[1].EncodedSize * 0.97, file.Segments[1].EncodedSize * 1.03);
    }

    [Fact]
    public async Task A_file_on_disk_is_read_by_position()
    {
        var path = Path.GetTempFileName();
        try
        {
            var bytes = new byte[12_345];
            new Random(4).NextBytes(bytes);
            await File.WriteAllBytesAsync(path, bytes);
            using var source = new FileSource(path);
            var store = new ArticleStore();
            var file = store.AddFile("disk.bin", source, new PostOptions { ArticleSize = 5_000 });
            Assert.Equal(bytes, file.Segments.SelectMany(segment => PlainYenc.Decode(segment.Body.Span).Payload));
        }
        finally
        {
            File.Delete(path);
        }
    }
}
