using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class AnswerClockTests
{
    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// A server that looks for each article for a while, or a line that others use too, is silent however many requests wait.
    /// </summary>
    [Theory]
    [InlineData(350, 70, 2)]
    [InlineData(20, 10, 3)]
    [InlineData(2, 2, 11)]
    public void The_depth_does_not_exceed_what_the_round_trip_explains(int article, int silence, int depth)
    {
        var clock = new AnswerClock(new Account(RoundTrip), new ManualTimeProvider());
        Serve(clock, article, silence, count: 60);
        Assert.Equal(depth, clock.Depth);
    }

    [Fact]
    public void The_depth_falls_at_once_when_articles_take_longer()
    {
        var clock = new AnswerClock(new Account(RoundTrip), new ManualTimeProvider());
        Serve(clock, article: 2, silence: 2, count: 60);
        Assert.Equal(11, clock.Depth);
        Serve(clock, article: 350, silence: 0, count: 1);
        Assert.Equal(2, clock.Depth);
    }

    /// <summary>
    /// After a pause of a second articles come out of buffers in a millisecond each, which makes the line seem a hundred times as fast.
    /// </summary>
    [Fact]
    public void Articles_out_of_buffers_do_not_make_the_pipe_deep()
    {
        var clock = new AnswerClock(new Account(RoundTrip), new ManualTimeProvider());
        Serve(clock, article: 350, silence: 0, count: 20);
        Serve(clock, article: 1, silence: 1_200, count: 1);
        Serve(clock, article: 1, silence: 0, count: 3);
        clock.ExpectDepth(PipelineDepth.Most);
        Assert.Equal(2, clock.Depth);
    }

    [Fact]
    public void What_the_line_needs_counts_as_far_as_the_round_trip_explains_it()
    {
        var clock = new AnswerClock(new Account(RoundTrip), new ManualTimeProvider());
        clock.ExpectDepth(PipelineDepth.Most);
        Assert.Equal(PipelineDepth.Most, clock.Depth);
        Serve(clock, article: 5, silence: 0, count: 1);
        Assert.Equal(9, clock.Depth);
    }

    [Fact]
    public void Without_a_known_round_trip_the_depth_has_no_such_limit()
    {
        var clock = new AnswerClock(new Account(TimeSpan.Zero), new ManualTimeProvider());
        Serve(clock, article: 350, silence: 70, count: 60);
        Assert.Equal(PipelineDepth.Most, clock.Depth);
    }

    /// <summary>Articles over a full pipe, in milliseconds.</summary>
    private static void Serve(AnswerClock clock, int article, int silence, int count)
    {
        var now = TimeSpan.FromHours(1).Ticks;
        for (var i = 0; i < count; i++)
        {
            var request = new NntpRequest(NntpCommand.Body) { SentAt = 1 };
            var headSince = now;
            now += TimeSpan.FromMilliseconds(silence).Ticks;
            clock.AnswerStarted(request, isAlone: false, now);
            now += TimeSpan.FromMilliseconds(article).Ticks;
            clock.ArticleCompleted(request, headSince, now, decode: TimeSpan.Zero);
            clock.Ended(headSince, now, wasFull: true);
        }
    }

    private sealed class Account(TimeSpan roundTrip) : INntpAccount
    {
        public string Name => "account";

        public TimeSpan RoundTrip => roundTrip;

        public bool TimesDecoding => false;

        public NntpCommand ExistenceCommand => NntpCommand.Stat;

        public void OnCommandUnsupported(NntpCommand command)
        {
        }

        public void RoundTripMeasured(TimeSpan time)
        {
        }

        public void Sent(TimeSpan queued, int depth)
        {
        }

        public void FirstByte(TimeSpan time)
        {
        }

        public void Received(TimeSpan receive, TimeSpan decode, int bytes)
        {
        }
    }
}
