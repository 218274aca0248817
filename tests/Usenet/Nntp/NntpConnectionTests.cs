using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class NntpConnectionTests
{
    /// <summary>Two bodies, one article that is not there, a keep-alive and one more body.</summary>
    private static readonly byte[] Transcript =
    [
        .. ConnectionFixture.Body("a", 300), .. "430 no such article\r\n"u8, .. "111 20260101000000\r\n"u8,
        .. ConnectionFixture.Body("c", 1), .. ConnectionFixture.Body("d", 129),
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(64)]
    [InlineData(int.MaxValue)]
    public async Task Answers_are_parsed_in_pieces_of_any_size(int piece)
    {
        await using var fixture = new ConnectionFixture(piece);
        await AnswerAllAsync(fixture, () => fixture.Stream.Feed(Transcript));
    }

    [Fact]
    public async Task Answers_are_parsed_wherever_they_are_split()
    {
        for (var cut = 0; cut <= Transcript.Length; cut++)
        {
            await using var fixture = new ConnectionFixture();
            await AnswerAllAsync(fixture, () =>
            {
                fixture.Stream.Feed(Transcript[..cut]);
                fixture.Stream.Feed(Transcript[cut..]);
            });
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_article_larger_than_the_receive_buffer_is_received(bool readsAhead)
    {
        await using var fixture = new ConnectionFixture(readsAhead: readsAhead);
        var flight = fixture.Fly("big", 900_000);
        fixture.Submit(flight);
        fixture.Stream.Feed(ConnectionFixture.Body("big", 900_000));
        Assert.Equal(AttemptOutcome.Found, (await fixture.Owner.NextAsync()).Outcome);
        fixture.AssertHolds(flight, "big", 900_000);
    }

    /// <summary>
    /// The .nzb says 100 KB. A header is free to claim more, and memory for it would be reserved whatever the budget says.
    /// </summary>
    [Theory]
    [InlineData(100_000, 0, 5_000_000)]
    [InlineData(0, 100_000, 5_000_000)]
    [InlineData(0, 0, 9_000_000)]
    [InlineData(7_000_000, 0, 9_000_000)]
    public async Task An_article_that_claims_to_be_much_larger_than_its_nzb_says_is_damaged(int sent, int size, int claimed)
    {
        await using var fixture = new ConnectionFixture();
        fixture.Submit(fixture.Fly(new SegmentKey("a", 0, size) { SentSize = sent }));
        fixture.Stream.Feed($"222 0 <a>\r\n=ybegin part=1 total=2 line=128 size=100000000 name=a\r\n");
        fixture.Stream.Feed($"=ypart begin=1 end={claimed}\r\nabc\r\n");
        fixture.Submit(fixture.Fly("b", 300));
        fixture.Stream.Feed("=yend size=3\r\n.\r\n");
        fixture.Stream.Feed(ConnectionFixture.Body("b", 300));
        var end = await fixture.Owner.NextAsync();
        Assert.Equal(AttemptOutcome.Corrupt, end.Outcome);
        Assert.Contains("claims to be larger than an article can be", end.Reason, StringComparison.Ordinal);
        Assert.Equal(AttemptOutcome.Found, (await fixture.Owner.NextAsync()).Outcome);
        Assert.Equal(1, fixture.Rented);
    }

    [Theory]
    [InlineData(0, 0, 8 << 20)]
    [InlineData(716_800, 0, 1_433_600)]
    [InlineData(716_800, 740_000, 1_480_000)]
    [InlineData(1, 0, 1 << 20)]
    [InlineData(0, int.MaxValue, 8 << 20)]
    public void A_claim_is_bounded_by_what_is_known(int size, int sent, int most) =>
        Assert.Equal(most, new SegmentKey("a", 0, size) { SentSize = sent }.MostSize);

    [Fact]
    public async Task Commands_submitted_during_a_write_are_sent_together()
    {
        await using var fixture = new ConnectionFixture();
        var gate = new TaskCompletionSource();
        var writes = 0;
        fixture.Stream.BeforeWrite = () =>
        {
            writes++;
            return gate.Task;
        };
        foreach (var id in new[] { "a", "b", "c" })
            fixture.Submit(fixture.Fly(id, 100));
        fixture.Submit(NntpCommand.Date);
        Assert.Equal("", fixture.Stream.Written);
        gate.SetResult();
        fixture.Stream.Feed("430\r\n430\r\n430\r\n111 x\r\n");
        for (var i = 0; i < 4; i++)
            await fixture.Owner.NextAsync();
        Assert.Equal("BODY <a>\r\nBODY <b>\r\nBODY <c>\r\nDATE\r\n", fixture.Stream.Written);
        Assert.Equal(2, writes);
    }

    [Fact]
    public async Task Readers_are_notified_once_per_wait_or_128_KiB_and_not_per_receive()
    {
        const int Size = 700_000, Piece = 16 << 10;
        await using var fixture = new ConnectionFixture(Piece);
        var flight = fixture.Fly("big", Size);
        var shown = new ConcurrentDictionary<int, bool>();
        fixture.Stream.BeforeRead = () => shown[Shown()] = true;
        var body = ConnectionFixture.Body("big", Size);
        fixture.Submit(flight);
        fixture.Stream.Feed([.. body[..200_000]]);
        while (Shown() < 190_000)
            await flight.WhenMore(Shown());
        fixture.Stream.Feed(body[200_000..]);
        Assert.Equal(AttemptOutcome.Found, (await fixture.Owner.NextAsync()).Outcome);
        fixture.AssertHolds(flight, "big", Size);

        // Nothing; 128 KiB; what was there at the wait; three times 128 KiB more; all. For each receive it would be 44 times.
        Assert.InRange(shown.Count, 5, 8);

        int Shown()
        {
            using var lease = flight.TryLend(0, Size);
            return lease?.Length ?? 0;
        }
    }

    [Fact]
    public async Task Bytes_are_available_while_the_article_still_arrives()
    {
        await using var fixture = new ConnectionFixture();
        var flight = fixture.Fly("a", 10_000);
        fixture.Submit(flight);
        var body = ConnectionFixture.Body("a", 10_000);
        fixture.Stream.Feed(body[..5000]);
        await flight.WhenMore(0);
        using (var lease = flight.TryLend(0, 10_000))
            Assert.True(ConnectionFixture.Bytes("a", 10_000).AsSpan(0, lease!.Length).SequenceEqual(lease.Memory.Span));
        Assert.False(flight.IsEnded);
        fixture.Stream.Feed(body[5000..]);
        await flight.WhenEnded();
        fixture.AssertHolds(flight, "a", 10_000);
    }

    [Fact]
    public async Task Bytes_of_a_wrong_part_are_not_shown_and_the_owner_decides()
    {
        await using var fixture = new ConnectionFixture();
        var flight = fixture.Fly("a", 100, begin: 500);
        fixture.Submit(flight);
        fixture.Stream.Feed(ConnectionFixture.Body("a", 100, begin: 400));
        Assert.Equal(AttemptOutcome.Mismatch, (await fixture.Owner.NextAsync()).Outcome);
        Assert.Null(flight.TryLend(0, 100));
        Assert.False(flight.IsEnded);
        Assert.Equal(
            (400L, 100, 1_000_000L), (fixture.Owner.OddHeader!.Begin, fixture.Owner.OddHeader.PartSize, fixture.Owner.OddHeader.FileSize));
        Assert.Equal(ConnectionFixture.Bytes("a", 100), fixture.Owner.OddBuffer!.Array[..100]);
    }

    [Fact]
    public async Task A_request_without_expectations_accepts_any_part()
    {
        await using var fixture = new ConnectionFixture();
        var flight = fixture.Fly("a", 0);
        fixture.Submit(flight);
        fixture.Stream.Feed(ConnectionFixture.Body("a", 100, begin: 400));
        Assert.Equal(AttemptOutcome.Found, (await fixture.Owner.NextAsync()).Outcome);
        Assert.Equal((400L, 100, "file.bin"), (flight.Begin, flight.Size, ((ArticleHeader)flight.Header!).Name));
    }

    [Theory]
    [InlineData("crc", "its checksum is wrong")]
    [InlineData("short", "it is shorter or longer than it says")]
    [InlineData("text", "it is not yEnc")]
    [InlineData("header", "its yEnc header cannot be read")]
    public async Task A_damaged_article_is_withdrawn_and_the_connection_stays_in_sync(string damage, string reason)
    {
        await using var fixture = new ConnectionFixture();
        var bad = fixture.Fly("a", 300);
        var good = fixture.Fly("b", 300);
        fixture.Submit(bad);
        fixture.Submit(good);
        var body = ConnectionFixture.Body("a", 300);
        var text = System.Text.Encoding.Latin1.GetString(body);
        fixture.Stream.Feed(damage switch
        {
            "crc" => text.Replace("pcrc32=", "pcrc32=12345678 x", StringComparison.Ordinal),
            "short" => text.Remove(text.IndexOf("=yend", StringComparison.Ordinal) - 20, 18),
            "text" => "222 0 <a>\r\nThis is no binary.\r\n..stuffed\r\n.\r\n",
            _ => text.Replace("=ypart begin=1 ", "=ypart begin=x ", StringComparison.Ordinal),
        });
        fixture.Stream.Feed(ConnectionFixture.Body("b", 300));
        var (id, outcome, said) = await fixture.Owner.NextAsync();
        Assert.Equal(("a", AttemptOutcome.Corrupt, $"mock sent <a> damaged ({reason})"), (id, outcome, said));
        Assert.Equal(AttemptOutcome.Found, (await fixture.Owner.NextAsync()).Outcome);
        Assert.False(bad.IsEnded);
        Assert.Equal(1, fixture.Rented);
        fixture.AssertHolds(good, "b", 300);
    }

    [Fact]
    public async Task An_article_already_ended_elsewhere_takes_no_memory()
    {
        await using var fixture = new ConnectionFixture();
        var flight = fixture.Fly("a", 300);
        fixture.Submit(flight);
        flight.Fail(ContentFault.Unavailable, "as if it had ended elsewhere");
        fixture.Stream.Feed(ConnectionFixture.Body("a", 300));
        Assert.Equal(AttemptOutcome.Superseded, (await fixture.Owner.NextAsync()).Outcome);
        Assert.Equal(0, fixture.Rented);
    }

    // Some large providers answer BODY so at times.
    [Fact]
    public async Task A_whole_article_is_read_past_its_headers_and_headers_alone_count_as_not_there()
    {
        await using var fixture = new ConnectionFixture();
        var (whole, headers, next) = (fixture.Fly("a", 300), fixture.Fly("b", 300), fixture.Fly("c", 300));
        fixture.Submit(whole);
        fixture.Submit(headers);
        fixture.Submit(next);
        const string Headers = "Subject: \"film.mkv\" yEnc (1/9)\r\nMessage-ID: <a>\r\nX-Odd: =ydecoy\r\n";
        var body = ConnectionFixture.Body("a", 300);
        var status = Array.IndexOf(body, (byte)'\n') + 1;
        fixture.Stream.Feed([.. System.Text.Encoding.Latin1.GetBytes($"220 0 <a>\r\n{Headers}\r\n"), .. body[status..]]);
        fixture.Stream.Feed($"221 0 <b>\r\n{Headers}.\r\n");
        fixture.Stream.Feed(ConnectionFixture.Body("c", 300));
        Assert.Equal(("a", AttemptOutcome.Found, null), await fixture.Owner.NextAsync());
        Assert.Equal(("b", AttemptOutcome.Missing, "mock sent the headers of <b> alone"), await fixture.Owner.NextAsync());
        Assert.Equal(("c", AttemptOutcome.Found, null), await fixture.Owner.NextAsync());
        fixture.AssertHolds(whole, "a", 300);
        fixture.AssertHolds(next, "c", 300);
        Assert.False(headers.IsEnded);
        Assert.False(fixture.Connection.IsClosed);
    }

    [Theory]
    [InlineData(430)]
    [InlineData(423)]
    [InlineData(420)]
    [InlineData(451)]
    public async Task An_article_that_is_not_there_is_missing(int code)
    {
        await using var fixture = new ConnectionFixture();
        fixture.Submit(fixture.Fly("a", 300));
        fixture.Stream.Feed($"{code} it is gone\r\n");
        Assert.Equal(("a", AttemptOutcome.Missing, $"mock said \"{code} it is gone\""), await fixture.Owner.NextAsync());
        Assert.False(fixture.Connection.IsClosed);
    }

    [Theory]
    [InlineData("111 20260101000000")]
    [InlineData("500 unknown command")]
    [InlineData("502 not for you")]
    public async Task Any_answer_to_a_keep_alive_keeps_the_connection(string answer)
    {
        await using var fixture = new ConnectionFixture();
        fixture.Submit(NntpCommand.Date);
        fixture.Stream.Feed($"{answer}\r\n");
        Assert.Equal(("Date", AttemptOutcome.Found, null), await fixture.Owner.NextAsync());
        var flight = fixture.Fly("a", 300);
        Assert.True(fixture.Submit(flight));
        fixture.Stream.Feed(ConnectionFixture.Body("a", 300));
        await flight.WhenEnded();
    }

    private static async Task AnswerAllAsync(ConnectionFixture fixture, Action feed)
    {
        var a = fixture.Fly("a", 300);
        var c = fixture.Fly("c", 1);
        var d = fixture.Fly("d", 129);
        fixture.Submit(a);
        fixture.Submit(fixture.Fly("b", 10));
        fixture.Submit(NntpCommand.Date);
        fixture.Submit(c);
        fixture.Submit(d);
        feed();
        foreach (var expected in new[] { "a Found", "b Missing", "Date Found", "c Found", "d Found" })
        {
            var (id, outcome, _) = await fixture.Owner.NextAsync();
            Assert.Equal(expected, $"{id} {outcome}");
        }

        fixture.AssertHolds(a, "a", 300);
        fixture.AssertHolds(c, "c", 1);
        fixture.AssertHolds(d, "d", 129);
        Assert.False(fixture.Connection.IsClosed);
    }
}
