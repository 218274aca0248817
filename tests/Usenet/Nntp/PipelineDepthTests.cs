using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class PipelineDepthTests
{
    private static readonly TimeSpan Transfer = TimeSpan.FromMilliseconds(80);
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(11);

    private readonly PipelineDepth _depth = new();

    [Fact]
    public void The_depth_grows_after_two_consecutive_silences_up_to_its_limit()
    {
        Began(Silence);
        Assert.Equal(PipelineDepth.Initial, _depth.Value);
        Began(Silence);
        Assert.Equal(PipelineDepth.Initial + 1, _depth.Value);
        for (var i = 0; i < 200; i++)
            Began(Silence);
        Assert.Equal(PipelineDepth.Most, _depth.Value);
    }

    [Fact]
    public void The_depth_doubles_when_a_full_pipeline_was_silent_for_longer_than_an_article()
    {
        Began(Transfer + TimeSpan.FromMilliseconds(1));
        Assert.Equal(2 * PipelineDepth.Initial, _depth.Value);
        Began(Transfer);
        Assert.Equal(2 * PipelineDepth.Initial, _depth.Value);
        for (var i = 0; i < 10; i++)
            Began(Transfer * 2);
        Assert.Equal(PipelineDepth.Most, _depth.Value);
    }

    [Fact]
    public void The_lines_expected_depth_applies_while_it_exceeds_the_measured_one()
    {
        _depth.Expect(7);
        Assert.Equal(7, _depth.Value);
        _depth.Expect(1);
        Assert.Equal(PipelineDepth.Initial, _depth.Value);
        _depth.Expect(1000);
        Assert.Equal(PipelineDepth.Most, _depth.Value);
    }

    [Fact]
    public void A_single_silence_between_prompt_articles_does_not_count()
    {
        for (var i = 0; i < 100; i++)
        {
            Began(Silence);
            Began(TimeSpan.Zero);
        }

        Assert.Equal(PipelineDepth.Initial, _depth.Value);
    }

    [Fact]
    public void A_pipeline_that_was_not_full_does_not_count()
    {
        for (var i = 0; i < 100; i++)
            _depth.ArticleStarted(pipeWasFull: false, Silence, Transfer);
        Assert.Equal(PipelineDepth.Initial, _depth.Value);
    }

    [Theory]
    [InlineData(1.0, 1)]
    [InlineData(9.0, 80)]
    public void Short_silences_do_not_count(double silence, double transfer)
    {
        for (var i = 0; i < 100; i++)
            _depth.ArticleStarted(pipeWasFull: true, TimeSpan.FromMilliseconds(silence), TimeSpan.FromMilliseconds(transfer));
        Assert.Equal(PipelineDepth.Initial, _depth.Value);
    }

    [Fact]
    public void The_depth_shrinks_after_a_long_time_without_silence_but_not_below_its_start()
    {
        for (var i = 0; i < 6; i++)
            Began(Silence);
        Assert.Equal(PipelineDepth.Initial + 3, _depth.Value);
        for (var i = 0; i < 199; i++)
            Began(TimeSpan.Zero);
        Assert.Equal(PipelineDepth.Initial + 3, _depth.Value);
        Began(TimeSpan.Zero);
        Assert.Equal(PipelineDepth.Initial + 2, _depth.Value);
        for (var i = 0; i < 2000; i++)
            Began(TimeSpan.Zero);
        Assert.Equal(PipelineDepth.Initial, _depth.Value);
    }

    private void Began(TimeSpan silence) => _depth.ArticleStarted(pipeWasFull: true, silence, Transfer);
}
