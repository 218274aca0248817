using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents;

/// <summary>How peers are reached and reach us: the dialler and the port that all torrents of an engine share. Thread-safe.</summary>
internal sealed class PeerNetwork : IAsyncDisposable
{
    private readonly KeyExchangeQueue _exchanges = new();
    private readonly DisguisedHashes _torrents = new();
    private readonly TcpAcceptor? _acceptor;
    private readonly EncryptedReception _encryption;
    private readonly TimeProvider _time;
    private PeerReception? _reception;

    /// <summary>Takes the port; connections wait in the kernel's queue until <see cref="Receive"/>.</summary>
    /// <param name="options">The engine's, as they are at the time.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="dialer">Connects as it likes; null = by TCP, as the options say.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public PeerNetwork(Func<TorrentOptions> options, TimeProvider time, ITransportDialer? dialer)
    {
        _time = time;
        var handshake = new StreamHandshake(_exchanges);
        _acceptor = options().Listen is { } endpoint ? new TcpAcceptor(endpoint) : null;
        _encryption = new EncryptedReception(handshake, _torrents, () => options().Encryption);
        Dialer = dialer ?? new EncryptingDialer(new TcpDialer(), handshake, () => options().Encryption, time);
    }

    /// <summary>Connects to peers.</summary>
    public ITransportDialer Dialer { get; }

    /// <summary>Where peers can reach us; 0 = nowhere.</summary>
    public int Port => _acceptor?.Port ?? 0;

    /// <summary>Takes in peers from here on. Called once.</summary>
    public void Receive(PeerWelcome welcome)
    {
        if (_acceptor is not null)
            _reception = new PeerReception(_acceptor, _time, welcome, _encryption);
    }

    /// <summary>A torrent is open: peers may ask for it in an encrypted handshake.</summary>
    public void Opened(InfoHash torrent) => _torrents.Add(torrent);

    /// <summary>A torrent is closed.</summary>
    public void Closed(InfoHash torrent) => _torrents.Remove(torrent);

    /// <summary>Takes no more peers. Those that are connected stay.</summary>
    public async ValueTask StopReceivingAsync()
    {
        if (Interlocked.Exchange(ref _reception, null) is { } reception)
            await reception.DisposeAsync();
    }

    /// <summary>No torrent is open any more.</summary>
    public async ValueTask DisposeAsync()
    {
        await StopReceivingAsync();
        _exchanges.Dispose();
    }
}
