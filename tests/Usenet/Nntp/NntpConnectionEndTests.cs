using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>How connections end: every request ends and every buffer is returned.</summary>
public sealed class NntpConnectionEndTests
{
    [Theory]
    [InlineData("400 closing idle connection", "400 closing idle connection")]
    [InlineData("205 bye", "205 bye")]
    [InlineData("what?", "what?")]
    public async Task An_unsolicited_line_ends_the_connection_and_becomes_the_reason(string said, string reason)
    {
        await using var fixture = new ConnectionFixture();
        await fixture.Stream.Idle.Task;
        fixture.Stream.Feed($"{said}\r\n");
        fixture.Stream.End();
        await fixture.EndedAsync();
        Assert.True(fixture.Connection.IsClosed);
        Assert.Equal($"the server said \"{reason}\"", fixture.Connection.CloseReason);
        Assert.True(fixture.Owner.IsQuiet);
        Assert.False(fixture.Submit(fixture.Fly("late", 100)));
    }

    [Theory]
    [InlineData("400 going away", true)]
    [InlineData("480 login first", true)]
    [InlineData("481 account expired", true)]
    [InlineData("482 out of sequence", true)]
    [InlineData("502 no permission", true)]
    [InlineData("503 fault", false)]
    [InlineData("500 what?", false)]
    [InlineData("111 20260101000000", false)]
    [InlineData("224 an overview", false)]
    [InlineData("HTTP/1.1 200 OK", false)]
    public async Task A_refusal_or_unexpected_answer_ends_the_connection_and_all_its_requests(string answer, bool refused)
    {
        await using var fixture = new ConnectionFixture();
        foreach (var id in new[] { "a", "b", "c" })
            fixture.Submit(fixture.Fly(id, 100));
        fixture.Stream.Feed($"{answer}\r\n");
        fixture.Stream.End();
        await fixture.EndedAsync();
        foreach (var id in new[] { "a", "b", "c" })
            Assert.Equal((id, id != "a" ? AttemptOutcome.NotSent : refused ? AttemptOutcome.Refused : AttemptOutcome.Lost,
                $"the connection to mock was lost: the server said \"{answer}\""), await fixture.Owner.NextAsync());
    }

    [Fact]
    public async Task An_endless_line_ends_the_connection()
    {
        await using var fixture = new ConnectionFixture();
        fixture.Submit(fixture.Fly("a", 100));
        fixture.Stream.Feed(new string('2', NntpStatusLine.MaxLength + 1));
        fixture.Stream.End();
        await fixture.EndedAsync();
        Assert.Equal(AttemptOutcome.Lost, (await fixture.Owner.NextAsync()).Outcome);
    }

    [Fact]
    public async Task A_connection_lost_anywhere_in_an_answer_fails_its_requests_and_leaks_no_buffer()
    {
        var answer = ConnectionFixture.Body("a", 300);
        for (var length = 0; length < answer.Length; length++)
        {
            await using var fixture = new ConnectionFixture();
            var flight = fixture.Fly("a", 300);
            fixture.Submit(flight);
            fixture.Submit(fixture.Fly("b", 300));
            fixture.Stream.Feed(answer[..length]);
            fixture.Stream.End(length % 2 == 0 ? null : new IOException("reset by peer"));
            await fixture.EndedAsync();
            Assert.Equal(("a", AttemptOutcome.Lost), Short(await fixture.Owner.NextAsync()));
            Assert.Equal(("b", AttemptOutcome.NotSent), Short(await fixture.Owner.NextAsync()));
            Assert.False(flight.IsEnded);
            Assert.Null(flight.TryLend(0, 1));
            Assert.Equal(0, fixture.Rented);
            Assert.Equal(length % 2 == 0 ? "the server closed it" : "reset by peer", fixture.Connection.CloseReason);
        }
    }

    [Fact]
    public async Task Bytes_lent_from_a_lost_answer_are_compared_with_the_next_one()
    {
        await using var fixture = new ConnectionFixture();
        await using var second = new ConnectionFixture();
        var flight = fixture.Fly("a", 10_000);
        fixture.Submit(flight);
        fixture.Stream.Feed(ConnectionFixture.Body("a", 10_000)[..5000]);
        await flight.WhenMore(0);
        flight.TryLend(0, 100)!.Dispose();
        fixture.Stream.End();
        await fixture.EndedAsync();
        second.Submit(flight);
        second.Stream.Feed(ConnectionFixture.Body("a", 10_000));
        await flight.WhenEnded();
        Assert.Equal(0, flight.Generation);
        fixture.AssertHolds(flight, "a", 10_000);
    }

    [Fact]
    public async Task An_exception_while_an_answer_is_processed_is_a_fault_whatever_its_type()
    {
        foreach (var fault in new Exception[]
            { new InvalidOperationException("planted"), new ObjectDisposedException("planted"), new IOException("planted") })
        {
            await using var fixture = new ConnectionFixture();
            fixture.Owner.Fault = fault;
            fixture.Submit(fixture.Fly("a", 100));
            fixture.Submit(fixture.Fly("b", 100));
            fixture.Stream.Feed("430 no\r\n");
            await fixture.EndedAsync();
            Assert.Same(fault, fixture.Connection.Fault);
            Assert.False(fixture.Connection.WasEndedByServer);
            Assert.Equal(("a", AttemptOutcome.Missing), Short(await fixture.Owner.NextAsync()));

            // Once more: nobody knows how far the owner came.
            Assert.Equal(("a", AttemptOutcome.Lost), Short(await fixture.Owner.NextAsync()));
            Assert.Equal(("b", AttemptOutcome.Lost), Short(await fixture.Owner.NextAsync()));
        }
    }

    [Fact]
    public async Task A_receive_that_fails_is_no_fault()
    {
        foreach (var failure in new Exception[] { new IOException("reset by peer"), new InvalidOperationException("the stream is closed") })
        {
            await using var fixture = new ConnectionFixture();
            fixture.Stream.End(failure);
            await fixture.EndedAsync();
            Assert.Equal((null, true, failure.Message),
                (fixture.Connection.Fault, fixture.Connection.WasEndedByServer, fixture.Connection.CloseReason));
        }
    }

    [Fact]
    public async Task Closing_repeatedly_and_concurrently_ends_each_request_once()
    {
        await using var fixture = new ConnectionFixture();
        for (var i = 0; i < 5; i++)
            fixture.Submit(fixture.Fly($"{i}", 100));
        await Task.WhenAll(Enumerable.Range(0, 4).Select(i => Task.Run(() => fixture.Connection.Close($"reason {i}"))));
        Assert.StartsWith("reason ", fixture.Connection.CloseReason, StringComparison.Ordinal);
        Assert.False(fixture.Submit(NntpCommand.Date));
        fixture.Stream.End();
        await fixture.EndedAsync();
        for (var i = 0; i < 5; i++)
            Assert.Equal(($"{i}", i == 0 ? AttemptOutcome.Lost : AttemptOutcome.NotSent), Short(await fixture.Owner.NextAsync()));
        Assert.True(fixture.Owner.IsQuiet);
    }

    [Fact]
    public async Task A_write_that_fails_closes_the_connection_with_its_reason()
    {
        await using var fixture = new ConnectionFixture();
        var gate = new TaskCompletionSource();
        fixture.Stream.BeforeWrite = () => gate.Task;
        fixture.Submit(fixture.Fly("a", 100));
        fixture.Submit(fixture.Fly("b", 100));
        gate.SetException(new IOException("broken pipe"));
        fixture.Stream.End();
        await fixture.EndedAsync();
        Assert.Equal(("a", AttemptOutcome.Lost), Short(await fixture.Owner.NextAsync()));
        Assert.Equal(("b", AttemptOutcome.NotSent), Short(await fixture.Owner.NextAsync()));
        Assert.Equal("", fixture.Stream.Written);
    }

    [Fact]
    public async Task Threads_that_submit_while_the_connection_ends_lose_no_request()
    {
        for (var round = 0; round < 100; round++)
        {
            await using var fixture = new ConnectionFixture();
            var flights = Enumerable.Range(0, 8).Select(i => fixture.Fly($"{i}", 100)).ToArray();
            using var start = new Barrier(3);
            var taken = 0;
            var submitting = Enumerable.Range(0, 2).Select(half => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    for (var i = half * 4; i < (half * 4) + 4; i++)
                        Interlocked.Add(ref taken, fixture.Submit(flights[i]) ? 1 : 0);
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default)).ToArray();
            start.SignalAndWait();
            fixture.Stream.End();
            await Task.WhenAll(submitting);
            await fixture.EndedAsync();
            for (var i = 0; i < taken; i++)
                Assert.Equal(i == 0 ? AttemptOutcome.Lost : AttemptOutcome.NotSent, (await fixture.Owner.NextAsync()).Outcome);
            Assert.True(fixture.Owner.IsQuiet);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_idle_connection_holds_no_receive_buffer(bool readsAhead)
    {
        await using var fixture = new ConnectionFixture(readsAhead: readsAhead);
        var only = new byte[ReceiveBuffers.Size];
        fixture.Buffers.Return(only);
        await fixture.Stream.Idle.Task;
        Assert.Same(only, fixture.Buffers.Rent());
        fixture.Buffers.Return(only);

        fixture.Stream.Idle = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var flight = fixture.Fly("a", 10_000);
        fixture.Submit(flight);
        fixture.Stream.Feed(ConnectionFixture.Body("a", 10_000)[..5000]);
        await flight.WhenMore(0);
        Assert.NotSame(only, fixture.Buffers.Rent());
        fixture.Stream.Feed(ConnectionFixture.Body("a", 10_000)[5000..]);
        await fixture.Stream.Idle.Task;
        Assert.Same(only, fixture.Buffers.Rent());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_connection_returns_its_receive_buffer_when_it_ends(bool readsAhead)
    {
        await using var fixture = new ConnectionFixture(readsAhead: readsAhead);
        var only = new byte[ReceiveBuffers.Size];
        fixture.Buffers.Return(only);
        fixture.Submit(fixture.Fly("a", 300));
        fixture.Stream.Feed("222 0 <a>\r\n=ybeg");
        fixture.Stream.End();
        await fixture.EndedAsync();
        Assert.Same(only, fixture.Buffers.Rent());
    }

    [Fact]
    public async Task Received_bytes_count_as_activity_and_a_new_request_restarts_the_wait()
    {
        await using var fixture = new ConnectionFixture();
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, fixture.Connection.LastActivity);
        fixture.Submit(fixture.Fly("a", 100));
        Assert.Equal(fixture.Clock.GetTimestamp(), fixture.Connection.LastActivity);
        fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        fixture.Submit(fixture.Fly("b", 100));
        Assert.Equal(TimeSpan.FromSeconds(1), fixture.Clock.GetElapsedTime(fixture.Connection.LastActivity));
        Assert.Equal(fixture.Clock.GetTimestamp(), fixture.Connection.LastSent);
        fixture.Stream.Feed("430 no\r\n");
        await fixture.Owner.NextAsync();
        Assert.Equal(fixture.Clock.GetTimestamp(), fixture.Connection.LastActivity);
    }

    private static (string Id, AttemptOutcome Outcome) Short((string Id, AttemptOutcome Outcome, string? Reason) ended) =>
        (ended.Id, ended.Outcome);
}
