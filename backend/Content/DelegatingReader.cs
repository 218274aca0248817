namespace NzbDav.Content;

/// <summary>
/// A reader that reads through an inner one, which may be replaced by another. Calls that it does not handle itself are passed on, and a
/// new inner reader gets the settings of the one before.
/// </summary>
/// <param name="inner">The first inner reader; null: none is open yet.</param>
public abstract class DelegatingReader(ContentReader? inner = null) : ContentReader
{
    private readonly Lock _gate = new();
    private ContentReader? _inner = inner;
    private (bool IsSaid, GivingWay? Way) _way;
    private bool _readsOn;

    /// <summary>
    /// The reader that bytes come from now; null: none. Set by the caller that reads; may be read from any thread. The derived class
    /// disposes of it.
    /// </summary>
    protected ContentReader? Inner
    {
        get => Volatile.Read(ref _inner);
        set
        {
            if (value == _inner)
                return;
            lock (_gate)
            {
                Volatile.Write(ref _inner, value);
                if (_way.IsSaid)
                    value?.GiveWay(_way.Way);
                if (Backlog is { } backlog)
                    value?.Follow(backlog);
                if (_readsOn)
                    value?.ReadsOn();
            }
        }
    }

    /// <summary>The last argument of <see cref="Follow"/>. For the caller that reads.</summary>
    protected IClientBacklog? Backlog { get; private set; }

    /// <inheritdoc/>
    public override ReaderState Observe() => Inner?.Observe() ?? ReaderState.Unknown;

    /// <inheritdoc/>
    public override void GiveWay(GivingWay? way)
    {
        lock (_gate)
        {
            _way = (true, way);
            _inner?.GiveWay(way);
        }
    }

    /// <inheritdoc/>
    public override void Follow(IClientBacklog? backlog)
    {
        lock (_gate)
        {
            Backlog = backlog;
            _inner?.Follow(backlog);
        }
    }

    /// <inheritdoc/>
    public override void ReadsOn()
    {
        lock (_gate)
        {
            _readsOn = true;
            _inner?.ReadsOn();
        }
    }
}
