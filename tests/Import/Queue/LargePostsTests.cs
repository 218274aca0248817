using NzbDav.Import.Limits;

namespace NzbDav.Import.Tests.Queue;

public sealed class LargePostsTests
{
    private const long Third = (LargePosts.Most / 3) + 1;

    private readonly LargePosts _posts = new();

    [Fact]
    public async Task Large_posts_wait_for_room_and_proceed_in_order()
    {
        var first = await _posts.EnterAsync(Third, CancellationToken.None);
        var second = await _posts.EnterAsync(Third, CancellationToken.None);
        var third = _posts.EnterAsync(Third, CancellationToken.None);
        var fourth = _posts.EnterAsync(LargePosts.Small, CancellationToken.None);
        Assert.Equal((false, false), (third.IsCompleted, fourth.IsCompleted));
        first!.Dispose();
        (await third)!.Dispose();
        (await fourth)!.Dispose();
        second!.Dispose();
    }

    [Fact]
    public async Task A_post_larger_than_all_room_runs_alone_and_small_ones_pass_it()
    {
        var large = await _posts.EnterAsync(LargePosts.Most * 2, CancellationToken.None);
        var next = _posts.EnterAsync(LargePosts.Small, CancellationToken.None);
        Assert.Null(await _posts.EnterAsync(LargePosts.Small - 1, CancellationToken.None));
        Assert.False(next.IsCompleted);
        large!.Dispose();
        (await next)!.Dispose();
        (await _posts.EnterAsync(LargePosts.Most, CancellationToken.None))!.Dispose();
    }

    [Fact]
    public async Task A_waiting_post_whose_job_was_cancelled_makes_room_for_those_behind_it()
    {
        using var gone = new CancellationTokenSource();
        var first = await _posts.EnterAsync(Third, CancellationToken.None);
        var waiting = _posts.EnterAsync(LargePosts.Most, gone.Token);
        var behind = _posts.EnterAsync(Third, CancellationToken.None);
        Assert.False(behind.IsCompleted);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        (await behind)!.Dispose();
        first!.Dispose();
        (await _posts.EnterAsync(LargePosts.Most, CancellationToken.None))!.Dispose();
    }
}
