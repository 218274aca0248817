using System.Net;
using NzbDav.Torrents.Connections;

namespace NzbDav.Torrents.Tests.Connections;

/// <summary>A torrent that dials its own addresses, one per connection, as long as the manager allows.</summary>
internal sealed class Holder(ConnectionManager manager, byte number) : IConnectionHolder
{
    private readonly Queue<IPAddress> _open = [];
    private int _next;

    public bool IsUrgent { get; set; }

    /// <summary>Connections that it still wants.</summary>
    public int Wants { get; set; }

    /// <summary>Connections, all of them made.</summary>
    public int Count => _open.Count;

    /// <summary>Reports that there is nothing to close.</summary>
    public bool HasNothingToClose { get; set; }

    /// <summary>Connections that it is asked to close stay open until <see cref="CloseOne"/>.</summary>
    public bool ClosesLate { get; set; }

    /// <summary>How often it was offered a place.</summary>
    public int Calls { get; private set; }

    /// <summary>How often it was asked to close connections.</summary>
    public int Asked { get; private set; }

    /// <summary>Requests connections until one is refused or it wants no more.</summary>
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
        Asked++;
        if (HasNothingToClose)
            return 0;
        if (ClosesLate)
            return count;
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
