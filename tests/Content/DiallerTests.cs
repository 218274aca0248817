using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Dialling;
using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>A host with several addresses, on a clock that the test moves.</summary>
public sealed class DiallerTests
{
    private const int Port = 563;
    private static readonly IPAddress Six = IPAddress.Parse("2001:db8::1");
    private static readonly IPAddress OtherSix = IPAddress.Parse("2001:db8::2");
    private static readonly IPAddress Four = IPAddress.Parse("192.0.2.1");

    private readonly ManualTimeProvider _clock = new();
    private readonly ConcurrentDictionary<IPAddress, SocketError?> _answers = new();
    private readonly ConcurrentQueue<IPAddress> _tried = new();
    private readonly ConcurrentQueue<Socket> _late = new();
    private readonly TaskCompletionSource _lateAnswers = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _cancelled;
    private bool _isDeaf;

    [Fact]
    public async Task An_address_that_swallows_packets_costs_250_ms()
    {
        _answers[Four] = null;
        var dialling = Dial(NewDialler(Six, Four));
        await _clock.WhenArmedAsync(1);
        _clock.Advance(Dialler.Stagger - TimeSpan.FromMilliseconds(1));
        Assert.Equal([Six], _tried);
        _clock.Advance(TimeSpan.FromMilliseconds(1));
        (await dialling).Dispose();
        Assert.Equal([Six, Four], _tried);

        // The other attempt is not left behind.
        await Until.TrueAsync(() => Volatile.Read(ref _cancelled) == 1);
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public async Task The_address_that_answered_is_tried_first_for_ten_minutes()
    {
        var dialler = NewDialler(Six, Four);
        _answers[Six] = SocketError.NetworkUnreachable;
        _answers[Four] = null;
        (await Dial(dialler)).Dispose();
        _tried.Clear();
        (await Dial(dialler)).Dispose();
        Assert.Equal([Four], _tried);
        _clock.Advance(Dialler.RememberedFor);
        _tried.Clear();
        (await Dial(dialler)).Dispose();
        Assert.Equal([Six, Four], _tried);
    }

    [Fact]
    public async Task A_remembered_address_that_answers_no_more_costs_250_ms_too()
    {
        var dialler = NewDialler(Six, Four);
        _answers[Six] = SocketError.NetworkUnreachable;
        _answers[Four] = null;
        (await Dial(dialler)).Dispose();
        _answers.Clear();
        _answers[Six] = null;
        _tried.Clear();
        var dialling = Dial(dialler);
        await _clock.WhenArmedAsync(1);
        _clock.Advance(Dialler.Stagger);
        (await dialling).Dispose();
        Assert.Equal([Four, Six], _tried);
        _tried.Clear();
        (await Dial(dialler)).Dispose();
        Assert.Equal([Six], _tried);
    }

    [Fact]
    public async Task Families_take_turns_and_a_refusal_does_not_wait()
    {
        foreach (var address in (IPAddress[])[Six, OtherSix, Four])
            _answers[address] = SocketError.ConnectionRefused;
        _answers[OtherSix] = SocketError.NetworkUnreachable;
        var error = await Assert.ThrowsAsync<SocketException>(() => Dial(NewDialler(OtherSix, Six, Four)));

        // The error of the address that the system prefers.
        Assert.Equal(SocketError.NetworkUnreachable, error.SocketErrorCode);
        Assert.Equal([OtherSix, Four, Six], _tried);
    }

    [Fact]
    public async Task A_mapped_address_is_dialled_as_the_IPv4_address_that_it_is()
    {
        _answers[Four] = null;
        (await Dial(NewDialler(Four.MapToIPv6(), Four))).Dispose();
        Assert.Equal([Four], _tried);
    }

    [Fact]
    public async Task A_connection_that_comes_too_late_is_closed()
    {
        _answers[Four] = null;
        var dialling = Dial(NewDialler(Six, Four), isDeaf: true);
        await _clock.WhenArmedAsync(1);
        _clock.Advance(Dialler.Stagger);
        (await dialling).Dispose();
        _lateAnswers.SetResult();
        await Until.TrueAsync(() => _late.TryPeek(out var socket) && socket.SafeHandle.IsClosed);
    }

    [Fact]
    public async Task A_cancelled_attempt_ends_all()
    {
        using var cancel = new CancellationTokenSource();
        var dialling = NewDialler(Six, Four).ConnectAsync("news.example.com", Port, cancel.Token).AsTask();
        await _clock.WhenArmedAsync(1);
        _clock.Advance(Dialler.Stagger);
        await Until.TrueAsync(() => _tried.Count == 2);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => dialling);
        await Until.TrueAsync(() => Volatile.Read(ref _cancelled) == 2);
    }

    private Task<Socket> Dial(Dialler dialler, bool isDeaf = false)
    {
        _isDeaf = isDeaf;
        return dialler.ConnectAsync("news.example.com", Port, CancellationToken.None).AsTask();
    }

    private Dialler NewDialler(params IPAddress[] addresses) => new(_clock)
    {
        Resolve = (_, _) => Task.FromResult(addresses),
        Connect = AnswerAsync,
    };

    /// <summary>Connects, fails, or swallows the packets of an address that nothing is said of.</summary>
    private async ValueTask<Socket> AnswerAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        _tried.Enqueue(address.Address);
        if (_answers.TryGetValue(address.Address, out var error))
            return error is { } fault ? throw new SocketException((int)fault) : new Socket(SocketType.Stream, ProtocolType.Tcp);
        if (_isDeaf)
        {
            await _lateAnswers.Task;
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            _late.Enqueue(socket);
            return socket;
        }

        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            throw new InvalidOperationException("It never ends.");
        }
        catch (OperationCanceledException)
        {
            Interlocked.Increment(ref _cancelled);
            throw;
        }
    }
}
