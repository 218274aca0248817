using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

public sealed class ArticleQueueTests
{
    private readonly ArticleQueue _queue = new();

    [Fact]
    public void Requests_leave_by_priority_and_within_one_first_come_first_served()
    {
        var requests = new[] { FetchPriority.Health, FetchPriority.ReadAhead, FetchPriority.Waiting, FetchPriority.ReadAhead,
            FetchPriority.Import, FetchPriority.Waiting, FetchPriority.Next }
            .Select(Enqueue).ToArray();
        Assert.Equal([requests[2], requests[5], requests[6], requests[1], requests[3], requests[4], requests[0]], Drain());
    }

    [Fact]
    public void A_raised_request_goes_behind_those_already_at_its_new_priority()
    {
        var a = Enqueue(FetchPriority.ReadAhead);
        var b = Enqueue(FetchPriority.ReadAhead);
        var c = Enqueue(FetchPriority.ReadAhead);
        var first = Enqueue(FetchPriority.Waiting);
        _queue.Raise(b, FetchPriority.Waiting);
        Assert.Equal(4, _queue.Count);
        Assert.Equal([first, b, a, c], Drain());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Removing_a_request_keeps_the_others_in_order(int which)
    {
        var requests = Enumerable.Range(0, 3).Select(_ => Enqueue(FetchPriority.Next)).ToList();
        _queue.Remove(requests[which]);
        Assert.False(requests[which].IsQueued);
        requests.RemoveAt(which);
        Assert.Equal(requests, Drain());
    }

    [Fact]
    public void The_queue_matches_a_sorted_list_under_random_operations()
    {
        var random = new Random(6);
        var model = new List<ArticleRequest>();
        var passed = 0;
        for (var i = 0; i < 5000; i++)
        {
            var at = model.Count == 0 ? -1 : random.Next(model.Count);
            switch (random.Next(4))
            {
                case 0 when at >= 0:
                    Remove(model[at]);
                    break;
                case 1 when at >= 0:
                    var raised = model[at];
                    _queue.Raise(raised, (FetchPriority)random.Next((int)raised.Priority + 1));
                    model.RemoveAt(at);
                    model.Add(raised);
                    break;
                default:
                    model.Add(Enqueue((FetchPriority)random.Next(5)));
                    break;
            }

            Assert.Equal(model.Count, _queue.Count);
            Assert.Same(Next(), _queue.Peek());
        }

        for (; Next() is { } next; Remove(next))
            Assert.Same(next, _queue.Peek());
        Assert.Null(_queue.Peek());

        ArticleRequest? Next() => (passed < ArticleQueue.MostBeforeImport ? null : model.Find(
            static request => request.Priority == FetchPriority.Import)) ?? model.MinBy(static request => request.Priority);

        void Remove(ArticleRequest request)
        {
            _queue.Remove(request);
            model.Remove(request);
            if (request.Priority == FetchPriority.Import)
                passed = 0;
            else if (request.Priority < FetchPriority.Import && model.Exists(static other => other.Priority == FetchPriority.Import))
                passed++;
        }
    }

    [Fact]
    public void Imports_get_a_share_while_readers_want_more_than_there_is()
    {
        var imports = new[] { Enqueue(FetchPriority.Import), Enqueue(FetchPriority.Import) };
        var readers = Enumerable.Range(0, 3 * ArticleQueue.MostBeforeImport).Select(_ => Enqueue(FetchPriority.Waiting)).ToArray();

        var order = Drain();

        Assert.Equal(
            [ArticleQueue.MostBeforeImport, (2 * ArticleQueue.MostBeforeImport) + 1], imports.Select(import => order.IndexOf(import)));
        Assert.Equal(readers, order.Except(imports));
    }

    [Fact]
    public void What_only_becomes_more_urgent_does_not_count_for_the_share_of_imports()
    {
        var import = Enqueue(FetchPriority.Import);
        var reader = Enqueue(FetchPriority.ReadAhead);
        for (var i = 0; i < ArticleQueue.MostBeforeImport; i++)
            _queue.Raise(reader, FetchPriority.Waiting);

        Assert.Equal([reader, import], Drain());
    }

    [Fact]
    public void A_reader_is_found_although_an_import_is_served_next()
    {
        var import = Enqueue(FetchPriority.Import);
        for (var i = 0; i < ArticleQueue.MostBeforeImport; i++)
            _queue.Remove(Enqueue(FetchPriority.Waiting));
        Enqueue(FetchPriority.ReadAhead);
        Assert.Null(_queue.PeekReader());
        var reader = Enqueue(FetchPriority.Next);

        Assert.Same(import, _queue.Peek());
        Assert.Same(reader, _queue.PeekReader());
    }

    /// <summary>Requests exclude different providers, as in life: the order holds across all of them.</summary>
    private ArticleRequest Enqueue(FetchPriority priority)
    {
        var excluded = _queue.Count % 3;
        var command = _queue.Count % 2 == 0 ? NntpCommand.Body : NntpCommand.Stat;
        var request = new ArticleRequest(
            command, new ArticleFetch(new ArticleStat("a", priority)) { Tried = (ulong)excluded })
        { Priority = priority };
        _queue.Enqueue(request);
        return request;
    }

    private List<ArticleRequest> Drain()
    {
        var drained = new List<ArticleRequest>();
        while (_queue.Peek() is { } request)
        {
            _queue.Remove(request);
            drained.Add(request);
        }

        Assert.Equal(0, _queue.Count);
        return drained;
    }
}
