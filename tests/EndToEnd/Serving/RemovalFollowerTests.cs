using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Upkeep;

namespace NzbDav.EndToEnd.Tests.Serving;

public sealed class RemovalFollowerTests
{
    [Fact]
    public async Task An_internal_error_does_not_end_it()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var tree = gateway.Services.GetRequiredService<TreeStore>();
        using var follower = new FailingFollower(tree, gateway.Jobs, gateway.Services.GetRequiredService<CatalogMark>());
        await follower.StartAsync(Deadline.Token);
        await follower.First.Task.WaitAsync(Deadline.Token);

        // Any deletion makes it look again.
        var folder = await tree.EnsureCollectionAsync(["content", "movies", "gone"], Deadline.Token);
        Assert.True(await tree.DeleteAsync(folder.Id, Deadline.Token));
        await follower.Second.Task.WaitAsync(Deadline.Token);
        await follower.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task Nothing_is_removed_that_another_catalog_may_need()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var (mark, patches) = (Path.Combine(folder.Path, "catalog"), Path.Combine(folder.Path, "patches", "17"));
        Directory.CreateDirectory(patches);
        await File.WriteAllTextAsync(Path.Combine(patches, "article"), "restored");
        await File.WriteAllTextAsync(mark, "another\n");
        await using (var gateway = await Gateway.StartAsync(news, folder))
        {
            Assert.False(await gateway.Services.GetRequiredService<CatalogMark>().MatchesAsync(Deadline.Token));

            // Deletions change nothing about that.
            var tree = gateway.Services.GetRequiredService<TreeStore>();
            Assert.True(await tree.DeleteAsync(
                (await tree.EnsureCollectionAsync(["content", "movies", "gone"], Deadline.Token)).Id, Deadline.Token));
        }

        Assert.True(Directory.Exists(patches));
        File.Delete(mark);
        await using (await Gateway.StartAsync(news, folder))
            await Deadline.UntilAsync(() => Task.FromResult(!Directory.Exists(patches)), "the unneeded articles are gone");
        var id = await File.ReadAllTextAsync(mark);
        await using (var gateway = await Gateway.StartAsync(news, folder))
            Assert.True(await gateway.Services.GetRequiredService<CatalogMark>().MatchesAsync(Deadline.Token));
        Assert.Equal(id, await File.ReadAllTextAsync(mark));
    }

    [Fact]
    public async Task A_background_service_that_fails_does_not_stop_the_server()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        Assert.Equal(BackgroundServiceExceptionBehavior.Ignore,
            gateway.Services.GetRequiredService<IOptions<HostOptions>>().Value.BackgroundServiceExceptionBehavior);
    }

    /// <summary>Its first look throws what nobody expects.</summary>
    private sealed class FailingFollower(TreeStore tree, JobStore jobs, CatalogMark mark) : RemovalFollower(
        tree, jobs, mark, NullLogger.Instance)
    {
        public TaskCompletionSource First { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Second { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        protected override Task SweepAsync(CancellationToken cancellationToken)
        {
            if (First.TrySetResult())
                throw new InvalidOperationException("A bug.");
            Second.TrySetResult();
            return Task.CompletedTask;
        }
    }
}
