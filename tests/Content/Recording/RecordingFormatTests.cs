using System.IO.Compression;
using System.Text;
using NzbDav.Content.Recording;

namespace NzbDav.Content.Tests.Recording;

public sealed class RecordingFormatTests
{
    private static readonly DateTimeOffset Begun = new(2026, 11, 20, 20, 15, 0, TimeSpan.Zero);

    [Fact]
    public async Task A_recording_round_trips()
    {
        var recording = await ReadAsync(Sample());

        Assert.Equal((Begun, "9.9.9", null, 14), (recording.StartedAt, recording.By, recording.Cut, recording.Lines));
        Assert.Equal(new RecordedProvider(0, 20, 1, 3, true), recording.Providers[0]);
        var file = recording.Files[1];
        Assert.Equal((5_000_000, new RecordedVolume(7, 70, 50_000_000, 716_800)), (file.Size, Assert.Single(file.Volumes)));
        var request = Assert.Single(recording.Requests);
        Assert.Equal((100, 40, 900, ResponseEnd.ClientGone, 2_000_000),
            (request.At, request.FirstByte, request.EndedAt, request.Outcome, request.Bytes));
        Assert.Equal((1_500_000, 600), (Assert.Single(request.Sent).Bytes, request.Sent[0].Stalled));
        Assert.Equal((1_800, 716_800), (Assert.Single(request.Waits).Ms, request.Waits[0].Position));
        Assert.Equal([("article", "missing"), ("stat", "found")], recording.Articles.Select(line => (line.Kind, line.Outcome!)));
        Assert.Equal(["opened", "closed", "failed"], recording.Connections.Select(line => line.Kind));
        Assert.Equal(1_000, recording.Length);
    }

    [Fact]
    public async Task A_recording_truncated_anywhere_is_read_as_incomplete_or_refused()
    {
        var whole = Sample();
        var lines = (await ReadAsync(whole)).Lines;
        for (var length = 0; length < whole.Length; length++)
            await AssertCutAsync(whole[..length], lines, "plain", length);
    }

    [Fact]
    public async Task A_compressed_recording_truncated_anywhere_is_read_as_incomplete_or_refused()
    {
        var whole = Packed(Sample());
        Assert.Null((await ReadAsync(whole)).Cut);
        for (var length = 0; length < whole.Length; length++)
            await AssertCutAsync(whole[..length], lines: 14, "packed", length);
    }

    [Theory]
    [InlineData("", 1, "the file is empty")]
    [InlineData("\u0089PNG and so on\n", 1, "this is no recording of NzbDav")]
    [InlineData("{\"kind\":\"request\"}\n", 1, "this is no recording of NzbDav")]
    [InlineData("Hnonsense\n", 2, "it is no line of a recording")]
    [InlineData("H{\"kind\":\"over\",\"lines\":7}\n", 2, "there are 1 lines before the last one, and 7 were written")]
    [InlineData("H{\"kind\":\"provider\",\"provider\":64,\"connections\":20,\"priority\":0}\n", 2, "\"provider\" is 64: it must be 0 … 63")]
    [InlineData("H{\"kind\":\"file\",\"file\":1,\"size\":100,\"volumes\":[[1,1,100]]}\n", 2, "\"volumes\" holds one that is not")]
    [InlineData(
        "H{\"kind\":\"file\",\"file\":1,\"size\":100,\"volumes\":[[20000000,20000000,100,100]]}\n", 2, "more than 20000000 articles")]
    [InlineData("H{\"kind\":\"request\",\"at\":1,\"request\":1,\"client\":1,\"file\":7,\"start\":0,\"end\":9}\n", 2,
        "file 7, of which no line tells")]
    [InlineData("H{\"kind\":\"request\",\"at\":-1,\"request\":1,\"client\":1,\"file\":7,\"start\":0,\"end\":9}\n", 2, "\"at\" is -1")]
    [InlineData("H{\"kind\":\"request\",\"at\":1,\"request\":1,\"client\":1,\"file\":7,\"start\":9,\"end\":9}\n", 2, "\"end\" is 9")]
    [InlineData("H{\"kind\":\"article\",\"at\":1,\"provider\":0,\"connection\":0,\"asked\":0,\"outcome\":\"eaten\"}\n", 2,
        "\"outcome\" is \"eaten\": it must be one of found, missing")]
    [InlineData("H{\"kind\":\"article\",\"at\":1,\"provider\":0,\"connection\":0,\"asked\":0,\"outcome\":\"found\"}\n", 2,
        "provider 0, of which no line tells")]
    public async Task An_invalid_recording_is_refused_with_the_line_and_the_reason(string text, long line, string reason)
    {
        var bytes = Encoding.UTF8.GetBytes(
            text.StartsWith('H') ? "{\"kind\":\"recording\",\"version\":1,\"begun\":\"2026-11-20T20:15:00+00:00\"}\n" + text[1..] : text);
        var refused = await Assert.ThrowsAsync<RecordingException>(() => ReadAsync(bytes));
        Assert.Equal(line, refused.Line);
        Assert.Contains(reason, refused.Message, StringComparison.Ordinal);
        Assert.StartsWith($"line {line}: ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_newer_format_is_refused_and_fields_of_a_newer_program_are_skipped()
    {
        var newer = await Assert.ThrowsAsync<RecordingException>(
            () => ReadAsync("{\"kind\":\"recording\",\"version\":2,\"begun\":\"2026-11-20T20:15:00+00:00\"}\n"u8.ToArray()));
        Assert.Contains("has version 2 of the format", newer.Message, StringComparison.Ordinal);

        var more = await ReadAsync("{\"kind\":\"recording\",\"version\":1,\"begun\":\"2026-11-20T20:15:00+00:00\",\"mood\":\"good\"}\n{\"kind\":\"weather\",\"at\":5}\n{\"kind\":\"over\",\"lines\":2}\n"u8.ToArray());
        Assert.Equal((null, 3), (more.Cut, more.Lines));
    }

    [Fact]
    public void Equal_volumes_share_one_entry()
    {
        var segments = new SegmentTable.Builder();
        var extents = new List<Extent>();
        long at = 0;
        foreach (var (volume, articles, last) in new[] { (0, 3, 40), (1, 3, 40), (2, 2, 30) })
        {
            for (var i = 0; i < articles; i++)
            {
                var size = i == articles - 1 ? last : 100;
                segments.Add($"{volume}-{i}@x", i * 100, size);

                // The first of each begins with a header that is no part of the file.
                var (offset, length) = i == 0 ? (10, size - 10) : (0, size);
                extents.Add(new Extent(at, segments.Count - 1, offset, length));
                at += length;
            }
        }

        Assert.Equal([new RecordedVolume(2, 3, 230, 100), new RecordedVolume(1, 2, 120, 100)],
            RecordedVolume.Of(new ExtentMap([.. extents], segments.Build())));
    }

    private static async Task AssertCutAsync(byte[] cut, long lines, string form, int length)
    {
        try
        {
            var read = await ReadAsync(cut);

            // What ends a .gz may be missing: all lines are there.
            Assert.True(
                (read.Cut is null) == (form == "packed" && read.Lines == lines), $"{form}, {length} bytes, {read.Lines} lines: {read.Cut}");
            if (read.Cut is not null)
                Assert.Contains($"behind line {read.Lines}", read.Cut, StringComparison.Ordinal);
        }
        catch (RecordingException e)
        {
            Assert.Equal(1, e.Line);
        }
    }

    private static Task<Content.Recording.Recording> ReadAsync(byte[] bytes) =>
        RecordingReader.ReadAsync(new MemoryStream(bytes), CancellationToken.None);

    private static byte[] Packed(byte[] bytes)
    {
        var target = new MemoryStream();
        using (var gzip = new GZipStream(target, CompressionLevel.Optimal))
            gzip.Write(bytes);
        return target.ToArray();
    }

    private static byte[] Sample()
    {
        using var target = new MemoryStream();
        var writer = new RecordingWriter(target);
        writer.Begin(Begun, "9.9.9");
        writer.Write(new RecordedLine { Kind = "provider", Provider = 0, Connections = 20, Priority = 1, Backbone = 3, Block = true });
        writer.Write(new RecordedLine { Kind = "file", File = 1, Size = 5_000_000, Volumes = [[7, 70, 50_000_000, 716_800]] });
        writer.Write(new RecordedLine { Kind = "opened", At = 50, Provider = 0, Connection = 4, Ms = 30 });
        writer.Write(new RecordedLine
        { Kind = "request", At = 100, Request = 1, Client = 1, Program = "VLC", File = 1, Start = 0, End = 5_000_000, Intent = 0 });
        writer.Write(new RecordedLine { Kind = "first", At = 140, Request = 1, Ms = 40 });
        writer.Write(new RecordedLine
        {
            Kind = "article",
            At = 200,
            Provider = 0,
            Connection = 4,
            File = 1,
            Article = 412,
            Queued = 99,
            Asked = 100,
            Next = 100,
            First = 199.5,
            Bytes = 0,
            Priority = 0,
            Outcome = "missing"
        });
        writer.Write(new RecordedLine { Kind = "stat", At = 250, Provider = 0, Connection = 4, Asked = 200, Outcome = "found" });
        writer.Write(new RecordedLine { Kind = "sent", At = 800, Request = 1, Ms = 700, Bytes = 1_500_000, Stalled = 600, Waited = 0 });
        writer.Write(new RecordedLine { Kind = "wait", At = 850, Request = 1, Ms = 1_800, Position = 716_800 });
        writer.Write(new RecordedLine { Kind = "closed", At = 860, Provider = 0, Connection = 4, Open = 0, Outcome = "lost" });
        writer.Write(new RecordedLine { Kind = "end", At = 900, Request = 1, Bytes = 2_000_000, Outcome = "clientgone" });
        writer.Write(new RecordedLine { Kind = "failed", At = 1_000, Provider = 0, Open = 0, Outcome = "unreachable" });
        writer.Complete();
        return target.ToArray();
    }
}
