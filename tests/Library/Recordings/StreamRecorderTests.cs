using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content.Recording;
using NzbDav.Library.Recordings;
using NzbDav.Usenet;

namespace NzbDav.Library.Tests.Recordings;

public sealed class StreamRecorderTests
{
    private const long Bound = 4 << 20;

    [Fact]
    public async Task A_recording_file_ends_after_an_hour_without_reads()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await using var usenet = new UsenetClient([], library.Pool, library.Time, NullLogger<UsenetClient>.Instance);
        var timeline = new Timeline(library.Time);
        using var recorder = new StreamRecorder(new RecordingSource(timeline, usenet, library.Tree, library.Maps), "9.9.9");
        var folder = Path.Combine(library.Folder, "evenings");

        // Without reads nothing is written.
        timeline.Providers.Add(new TimelineEntry { Kind = TimelineKind.Capped, A = 7, At = timeline.Now });
        await recorder.WriteAsync(folder, Bound, default);
        Assert.False(Directory.Exists(folder));

        Read(timeline);
        await recorder.WriteAsync(folder, Bound, default);
        library.Time.Advance(TimeSpan.FromMinutes(59));
        await recorder.WriteAsync(folder, Bound, default);
        Read(timeline);
        await recorder.WriteAsync(folder, Bound, default);
        Assert.Single(Directory.GetFiles(folder));
        library.Time.Advance(TimeSpan.FromMinutes(60));
        await recorder.WriteAsync(folder, Bound, default);
        Assert.Null(recorder.File);
        Read(timeline);
        await recorder.WriteAsync(folder, Bound, default);
        recorder.Close();

        var files = Directory.GetFiles(folder).Order(StringComparer.Ordinal).ToArray();
        var recordings = await Task.WhenAll(files.Select(ReadAsync));
        Assert.Equal([2, 1], recordings.Select(recording => recording.Requests.Count));
        Assert.All(recordings, recording => Assert.Null(recording.Cut));
    }

    [Fact]
    public async Task The_oldest_recordings_are_deleted_above_the_size_limit()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await using var usenet = new UsenetClient([], library.Pool, library.Time, NullLogger<UsenetClient>.Instance);
        var timeline = new Timeline(library.Time);
        using var recorder = new StreamRecorder(new RecordingSource(timeline, usenet, library.Tree, library.Maps), "9.9.9");
        var folder = Directory.CreateDirectory(Path.Combine(library.Folder, "evenings")).FullName;
        foreach (var day in new[] { "20260101", "20260102", "20260103", "20260104" })
            await File.WriteAllBytesAsync(Path.Combine(folder, $"nzbdav-streams-{day}T200000000Z.jsonl.gz"), new byte[1 << 20]);
        await File.WriteAllTextAsync(Path.Combine(folder, "other.txt"), "somebody's own");

        Read(timeline);
        await recorder.WriteAsync(folder, Bound, default);
        recorder.Close();

        // Three quarters of the limit are left to earlier recordings.
        Assert.Equal(
            ["20260102", "20260103", "20260104", "20300101"],
            Directory.GetFiles(folder, StreamRecorder.Pattern).Order(StringComparer.Ordinal)
                .Select(file => Path.GetFileName(file)[15..23]));
        Assert.True(File.Exists(Path.Combine(folder, "other.txt")));
    }

    [Fact]
    public async Task A_response_begun_before_the_recording_is_recorded_as_a_request_from_its_position()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await using var usenet = new UsenetClient([], library.Pool, library.Time, NullLogger<UsenetClient>.Instance);
        var timeline = new Timeline(library.Time);
        library.Time.Advance(TimeSpan.FromHours(1));
        timeline.Streams.Add(new TimelineEntry
        {
            Kind = TimelineKind.Delivered,
            At = timeline.Now,
            B = timeline.Before(timeline.Now, TimeSpan.FromSeconds(1)),
            Id = 5,
            A = 700_000,
            Bytes = 100_000,
            Connection = 3,
            Note = new TimelineSource(77, 1_000_000, "10.0.0.7", "VLC/3"),
        });
        using var target = new MemoryStream();
        await new Library.Recordings.Recordings(new RecordingSource(timeline, usenet, library.Tree, library.Maps), "9.9.9")
            .WriteAsync(target, stream: 3, default);
        target.Position = 0;
        var request = Assert.Single((await RecordingReader.ReadAsync(target, default)).Requests);

        Assert.Equal((700_000, 1_000_000, 100_000, "VLC"), (request.Line.Start, request.Line.End, request.Bytes, request.Line.Program));
    }

    private static void Read(Timeline timeline)
    {
        var request = timeline.NextRequest();
        timeline.Streams.Add(new TimelineEntry
        {
            Kind = TimelineKind.Request,
            At = timeline.Now,
            Id = request,
            A = 0,
            B = 100,
            C = 1,
            Note = new TimelineSource(77, 100, "10.0.0.7", "VLC/3")
        });
        timeline.Streams.Add(new TimelineEntry
        { Kind = TimelineKind.Ended, At = timeline.Now, Id = request, A = 100, Outcome = (byte)ResponseEnd.Complete });
    }

    private static async Task<Content.Recording.Recording> ReadAsync(string path)
    {
        await using var file = File.OpenRead(path);
        return await RecordingReader.ReadAsync(file, default);
    }
}
