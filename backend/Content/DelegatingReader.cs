namespace NzbDav.Content;

/// <summary>
/// A reader that reads through another, one at a time. What it does not answer itself is passed on, and a reader that follows is told what
/// the one before was told.
/// </summary>
/// <param name="inner">The first reader; null: none is open yet.</param>
public abstract class DelegatingReader(ContentReader? inner = null) : ContentReader
{
    private readonly Lock _gate = new();
    private ContentReader? _inner = inner;
    private (bool IsSaid, GivingWay? Way) _way;
    private bool _readsOn;

    /// <summary>
    /// The reader that bytes come from now; null: none. Set by the caller that reads; may be read from any thread. Disposing of it is up to
    /// the derived class.
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

    /// <summary>What <see cref="Follow"/> was told last. For the caller that reads.</summary>
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
