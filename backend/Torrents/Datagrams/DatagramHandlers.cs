namespace NzbDav.Torrents.Datagrams;

/// <summary>The handlers of a channel, in order. Thread-safe. Offering a datagram takes no lock and allocates nothing.</summary>
internal sealed class DatagramHandlers
{
    private readonly Lock _gate = new();
    private DatagramHandler[] _handlers = [];

    /// <summary>See <see cref="IDatagramChannel.Register"/>.</summary>
    public IDisposable Register(DatagramHandler handler)
    {
        lock (_gate)
            Volatile.Write(ref _handlers, [.. _handlers, handler]);
        return new Registration(this, handler);
    }

    /// <summary>Offers a datagram to the handlers in order. False if none accepted it.</summary>
    public bool Offer(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        foreach (var handler in Volatile.Read(ref _handlers))
        {
            if (handler(from, datagram))
                return true;
        }

        return false;
    }

    private void Remove(DatagramHandler handler)
    {
        lock (_gate)
        {
            var at = Array.IndexOf(_handlers, handler);
            if (at >= 0)
                Volatile.Write(ref _handlers, [.. _handlers[..at], .. _handlers[(at + 1)..]]);
        }
    }

    private sealed class Registration(DatagramHandlers owner, DatagramHandler handler) : IDisposable
    {
        public void Dispose() => owner.Remove(handler);
    }
}
