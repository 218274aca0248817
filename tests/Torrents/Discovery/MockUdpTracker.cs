using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Tests.Discovery;

/// <summary>A UDP tracker (BEP 15, 41) on any channel: holds clients to the protocol, and gives connection ids that hold for two minutes as
/// real ones do.</summary>
internal sealed class MockUdpTracker
{
    private readonly IDatagramChannel _channel;
    private readonly TimeProvider _time;
    private readonly Dictionary<(DatagramAddress From, long Id), DateTimeOffset> _ids = [];

    public MockUdpTracker(IDatagramChannel channel, TimeProvider time)
    {
        _channel = channel;
        _time = time;
        channel.Register(Take);
    }

    /// <summary>Returned to every client of their family.</summary>
    public List<IPEndPoint> Peers { get; } = [];

    /// <summary>Answers announces with this error, while it is set.</summary>
    public string? Failure { get; set; }

    public int Connects { get; private set; }

    /// <summary>Announces that were let in: event, left, wanted, port, key and path.</summary>
    public List<(int Event, long Left, int Wanted, int Port, uint Key, string Path)> Announces { get; } = [];

    public int Scrapes { get; private set; }

    /// <summary>Forgets the connection ids, as a restart does.</summary>
    public void Restart() => _ids.Clear();

    private bool Take(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length < 16)
            return true;
        var id = BinaryPrimitives.ReadInt64BigEndian(datagram);
        var action = BinaryPrimitives.ReadInt32BigEndian(datagram[8..]);
        var transaction = datagram.Slice(12, 4).ToArray();
        if (action == 0 && id == 0x41727101980)
        {
            Connects++;
            var made = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(8));
            _ids[(from, made)] = _time.GetUtcNow();
            Answer(from, 0, transaction, Big(made));
        }
        else if (!_ids.TryGetValue((from, id), out var since) || _time.GetUtcNow() - since > TimeSpan.FromMinutes(2))
        {
            Answer(from, 3, transaction, "Connection ID missmatch."u8.ToArray());
        }
        else if (action == 1 && datagram.Length >= 98)
        {
            Announce(from, transaction, datagram);
        }
        else if (action == 2)
        {
            Scrapes++;
            Answer(from, 2, transaction, [.. Big(3), .. Big(7), .. Big(5)]);
        }

        return true;
    }

    private void Announce(DatagramAddress from, byte[] transaction, ReadOnlySpan<byte> datagram)
    {
        var path = new StringBuilder();
        for (var options = datagram[98..]; options.Length > 1 && options[0] != 0;)
        {
            if (options[0] == 1)
            {
                options = options[1..];
                continue;
            }

            path.Append(Encoding.UTF8.GetString(options.Slice(2, options[1])));
            options = options[(2 + options[1])..];
        }

        var wanted = BinaryPrimitives.ReadInt32BigEndian(datagram[92..]);
        Announces.Add((
            BinaryPrimitives.ReadInt32BigEndian(datagram[80..]),
            BinaryPrimitives.ReadInt64BigEndian(datagram[64..]),
            wanted,
            BinaryPrimitives.ReadUInt16BigEndian(datagram[96..]),
            BinaryPrimitives.ReadUInt32BigEndian(datagram[88..]),
            path.ToString()));
        if (Failure is { } failure)
        {
            Answer(from, 3, transaction, Encoding.UTF8.GetBytes(failure));
            return;
        }

        var peers = new MemoryStream();
        Span<byte> compact = stackalloc byte[18];
        foreach (var peer in Peers.Select(static peer => new DatagramAddress(peer)).Where(peer => peer.Family == from.Family).Take(wanted))
            peers.Write(compact[..peer.Write(compact)]);
        Answer(from, 1, transaction, [.. Big(1_800), .. Big(5), .. Big(3), .. peers.ToArray()]);
    }

    private void Answer(DatagramAddress to, int action, byte[] transaction, byte[] rest) =>
        _channel.Send(to, [.. Big(action), .. transaction, .. rest]);

    private static byte[] Big(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }

    private static byte[] Big(long value)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, value);
        return bytes;
    }
}
