using System.Net;
using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>A torrent that dials addresses of its own, one for each connection, as long as it is let.</summary>
internal sealed class Holder(ConnectionManager manager, byte number) : IConnectionHolder
{
    private readonly Queue<IPAddress> _open = [];
    private int _next;

    public bool IsUrgent { get; set; }

    /// <summary>Connections that it still wants.</summary>
    public int Wants { get; set; }

    /// <summary>Connections, all of them made.</summary>
    public int Count => _open.Count;

    /// <summary>It says that what it should close is gone already.</summary>
    public bool HasNothingToClose { get; set; }

    /// <summary>How often it was told of a place.</summary>
    public int Calls { get; private set; }

    /// <summary>Asks for what it wants until it is refused.</summary>
    public void Dial()
    {
        while (Wants > 0)
        {
            var address = new IPAddress([10, number, (byte)(_next >> 8), (byte)_next]);
            if (manager.TryDial(this, address) != ConnectionAdmission.Admitted)
                return;
            _next++;
            Wants--;
            _open.Enqueue(address);
            manager.Dialled(this, address, isConnected: true);
        }
    }

    public void CloseOne() => manager.Closed(this, _open.Dequeue());

    public int CloseLeastUseful(int count)
    {
        if (HasNothingToClose)
            return 0;
        for (var i = 0; i < count; i++)
            CloseOne();
        return count;
    }

    public void PlaceFreed()
    {
        Calls++;
        Dial();
    }
}
