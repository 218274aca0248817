using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Replay;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.FullNzbTester.Tests.Replay;

public sealed class ReplayPlanTests
{
    [Fact]
    public void A_recorded_article_maps_to_the_posted_one_at_the_same_offset()
    {
        // Volumes of 250 bytes in three articles, the last of 50; the posted file has articles of 100 throughout.
        var file = new RecordedFile(1, 1_000, [new RecordedVolume(4, 3, 250, 100)]);

        Assert.Equal((1_000, 100), (ReplayPlan.LengthOf(file), ReplayPlan.ArticleSizeOf(file)));
        Assert.Equal([0, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 9], Enumerable.Range(0, 12).Select(article => ReplayPlan.PlaceOf(file, article)));

        // An article beyond the end: the figures of a recording need not match.
        Assert.Equal(9, ReplayPlan.PlaceOf(file, 4_000));
    }

    [Fact]
    public async Task Only_recordings_of_Usenet_files_can_be_replayed()
    {
        var recording = await Recordings.ReadAsync(
            """{"kind":"provider","provider":0,"connections":4,"priority":0}""",
            """{"kind":"file","file":1,"size":1000,"volumes":[]}""",
            """{"kind":"request","at":5,"request":1,"client":1,"file":1,"start":0,"end":10}""");

        Assert.Contains("torrents", ReplayPlan.Refusal(recording), StringComparison.Ordinal);
        Assert.Null(ReplayPlan.Refusal(await Recordings.EveningAsync()));
    }

    [Fact]
    public async Task A_client_reads_at_full_speed_until_it_limits_the_pace()
    {
        var recording = await Recordings.ReadAsync(
            """{"kind":"file","file":1,"size":9000,"volumes":[[1,9,9000,1000]]}""",
            """{"kind":"request","at":1000,"request":1,"client":1,"file":1,"start":0,"end":9000}""",
            """{"kind":"sent","at":2000,"request":1,"ms":1000,"bytes":4000,"stalled":0,"waited":700}""",
            """{"kind":"sent","at":3000,"request":1,"ms":1000,"bytes":1000,"stalled":800,"waited":0}""",
            """{"kind":"sent","at":9000,"request":1,"ms":1000,"bytes":1000,"stalled":900,"waited":0}""");
        var pace = new ReplayPace(recording.Requests[0]);

        Assert.Equal(long.MaxValue, pace.Allowed(500));
        Assert.Equal(4_500, pace.Allowed(1_500));
        Assert.Equal(5_000, pace.Allowed(4_000));
        Assert.Equal(5_500, pace.Allowed(7_500));
        Assert.Equal(long.MaxValue, pace.Allowed(8_001));
    }

    [Fact]
    public async Task A_provider_is_down_from_its_first_failure_to_its_next_connection()
    {
        var recording = await Recordings.ReadAsync(
            """{"kind":"provider","provider":0,"connections":20,"priority":0}""",
            """{"kind":"cap","at":500,"provider":0,"limit":12}""",
            """{"kind":"closed","at":10000,"provider":0,"connection":1,"open":1,"outcome":"lost"}""",
            """{"kind":"closed","at":10200,"provider":0,"connection":2,"open":0,"outcome":"lost"}""",
            """{"kind":"failed","at":10400,"provider":0,"open":0,"outcome":"unreachable"}""",
            """{"kind":"failed","at":12000,"provider":0,"open":0,"outcome":"unreachable"}""",
            """{"kind":"opened","at":30000,"provider":0,"connection":3,"ms":150}""",
            """{"kind":"article","at":40000,"provider":0,"connection":3,"asked":39900,"outcome":"refused"}""",
            """{"kind":"article","at":50000,"provider":0,"connection":3,"asked":49900,"outcome":"found"}""");

        Assert.Equal(
            [
                new ProviderMoment(0, ProviderMomentKind.Cap, 12), new ProviderMoment(9_400, ProviderMomentKind.Down),
                new ProviderMoment(10_200, ProviderMomentKind.Drop), new ProviderMoment(29_800, ProviderMomentKind.Up),
                new ProviderMoment(39_900, ProviderMomentKind.NoService), new ProviderMoment(49_900, ProviderMomentKind.Up),
            ],
            ProviderMoments.Of(recording.Providers[0], recording.Connections, recording.Articles));
    }

    [Fact]
    public async Task A_provider_repeats_its_recorded_behaviour_for_each_article()
    {
        var recording = await Recordings.ReadAsync(
            """{"kind":"provider","provider":0,"connections":20,"priority":0}""",
            """{"kind":"file","file":1,"size":900,"volumes":[[1,9,900,100]]}""",

            // Requested on idle connections, 20 ms away.
            """{"kind":"article","at":120,"provider":0,"connection":1,"file":1,"article":0,"asked":0,"next":0,"first":20,"bytes":100,"outcome":"found"}""",
            """{"kind":"article","at":120,"provider":0,"connection":2,"file":1,"article":1,"asked":0,"next":0,"first":20,"bytes":0,"outcome":"missing"}""",
            """{"kind":"article","at":120,"provider":0,"connection":3,"file":1,"article":2,"asked":0,"next":0,"first":20,"bytes":50,"outcome":"lost"}""",
            """{"kind":"article","at":220,"provider":0,"connection":4,"file":1,"article":2,"asked":150,"next":150,"first":170,"bytes":100,"outcome":"found"}""",

            // Queued behind another article, and itself half a second late.
            """{"kind":"article","at":800,"provider":0,"connection":4,"file":1,"article":3,"asked":150,"next":220,"first":720,"bytes":100,"outcome":"found"}""",
            """{"kind":"article","at":10900,"provider":0,"connection":4,"file":1,"article":4,"asked":900,"next":900,"outcome":"timedout"}""",
            """{"kind":"article","at":1600,"provider":0,"connection":5,"file":1,"article":5,"asked":1000,"next":1000,"first":1020,"pause":500,"after":40,"bytes":100,"outcome":"found"}""",
            """{"kind":"article","at":1700,"provider":0,"connection":5,"file":1,"article":8,"asked":1600,"next":1600,"first":1620,"bytes":0,"outcome":"missing"}""");
        var file = recording.Files[1];
        var store = new ArticleStore();
        var posted = store.AddFile("file.bin", new SeededSource(1, "file.bin", 900), new PostOptions { ArticleSize = 100 });
        var past = new ProviderPast(recording.Articles);
        Assert.Equal(20, past.RoundTrip(0));
        var script = new ProviderScript(recording.Articles, past, new Dictionary<int, (RecordedFile, PostedFile)> { [1] = (file, posted) });

        Assert.Equal(new ScriptedReply(null, TimeSpan.Zero, 1_030), Ask(0));
        Assert.Equal(new ScriptedReply(Fault.Missing, TimeSpan.Zero, 0), Ask(1));
        Assert.Equal(FaultKind.Missing, script.Answer(posted.Segments[1], body: false).Fault?.Kind);
        Assert.Equal(Fault.Drop(51, reset: true), Ask(2).Fault);
        Assert.Null(Ask(2).Fault);
        Assert.Null(Ask(2).Fault);
        Assert.Equal(TimeSpan.FromMilliseconds(500), Ask(3).Delay);
        var silent = Ask(4).Fault!;
        Assert.Equal((FaultKind.Stall, null), (silent.Kind, silent.Duration));
        var paused = Ask(5).Fault!;
        Assert.Equal((FaultKind.Stall, TimeSpan.FromMilliseconds(500), 40), (paused.Kind, paused.Duration, paused.After));

        // Articles that were not requested in the recording: those next to one the provider had are there, and those next to a missing one
        // are missing.
        Assert.Equal(default, Ask(6));
        Assert.Equal(FaultKind.Missing, Ask(7).Fault?.Kind);

        ScriptedReply Ask(int article) => script.Answer(posted.Segments[article], body: true);
    }
}
