using System.Net;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Utp;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Two engines' uTP at both ends of a <see cref="LossyNetwork"/>, and what tests send between them.</summary>
internal sealed class UtpPair : IDisposable
{
    public const string Near = "198.51.100.1:6881";
    public const string Far = "203.0.113.7:6882";

    private readonly UtpAcceptor _acceptor;

    public UtpPair(LossyNetwork network, string near = Near, string far = Far)
    {
        Network = network;
        (NearAddress, FarAddress) = (IPEndPoint.Parse(near), IPEndPoint.Parse(far));
        Dialling = new UtpHost(network.Open(near), network.Time, static () => UtpPolicy.On);
        Accepting = new UtpHost(network.Open(far), network.Time, static () => UtpPolicy.On, Greeted.Add);
        _acceptor = new UtpAcceptor(Accepting, FarAddress.Port);
    }

    public LossyNetwork Network { get; }

    public IPEndPoint NearAddress { get; }

    public IPEndPoint FarAddress { get; }

    public UtpHost Dialling { get; }

    public UtpHost Accepting { get; }

    /// <summary>Addresses of incoming connections that were proved.</summary>
    public List<IPEndPoint> Greeted { get; } = [];

    /// <summary>Bytes that look like any others.</summary>
    public static byte[] Bytes(int count, int seed)
    {
        var bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Connects both ends. One byte goes from the near to the far one, as the dialling side has to speak first.</summary>
    public async Task<(ITransport Near, ITransport Far)> ConnectAsync()
    {
        var far = _acceptor.AcceptAsync(CancellationToken.None).AsTask();
        var dial = Dialling.ConnectAsync(FarAddress, CancellationToken.None).AsTask();

        // Whoever has been answered has to speak within five seconds: the time waits for that.
        var isAnswered = false;
        Network.Delivers = to => isAnswered |= to == new DatagramAddress(NearAddress);
        Network.IsReady = () => !isAnswered || dial.IsCompleted;
        var near = await Network.RunAsync(dial);
        (Network.Delivers, Network.IsReady) = (null, null);
        Assert.NotNull(near);
        await near.SendAsync("!"u8.ToArray());
        var accepted = await Network.RunAsync(far);
        Assert.NotNull(accepted);
        Assert.Equal(1, await Network.RunAsync(accepted.ReceiveAsync(new byte[1]).AsTask()));
        return (near, accepted);
    }

    /// <summary>Sends all in pieces of various sizes, as a peer does.</summary>
    public static async Task SendAsync(ITransport to, byte[] bytes, int seed, bool closes = false)
    {
        var random = new Random(seed);
        for (var at = 0; at < bytes.Length;)
        {
            var count = Math.Min(bytes.Length - at, random.Next(3) == 0 ? random.Next(1, 40) : random.Next(1, 40_000));
            await to.SendAsync(bytes.AsMemory(at, count).ToArray());
            at += count;
        }

        if (closes)
            to.Dispose();
    }

    /// <summary>Receives this many bytes, or all until the end. Returns their SHA-256.</summary>
    public static async Task<string> ReceiveAsync(ITransport from, int most = int.MaxValue, Action<int>? received = null)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var buffer = new byte[20_000];
        while (most > 0)
        {
            var count = await from.ReceiveAsync(buffer.AsMemory(0, Math.Min(most, buffer.Length)));
            if (count == 0)
                break;
            hash.AppendData(buffer, 0, count);
            most -= count;
            received?.Invoke(count);
        }

        return Convert.ToHexString(hash.GetHashAndReset());
    }

    public static string HashOf(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));

    public void Dispose()
    {
        _acceptor.Dispose();
        Dialling.Dispose();
        Accepting.Dispose();
    }
}
