namespace NzbDav.Content;

/// <summary>
/// A reader that reads through an inner one, which may be replaced by another. Members that a derived class does not override are passed
/// on, and a new inner reader gets the settings of the previous one.
/// </summary>
/// <param name="inner">The first inner reader; null: none is open yet.</param>
public abstract class DelegatingReader(ContentReader? inner = null) : ContentReader
{
    private readonly Lock _gate = new();
    private ContentReader? _inner = inner;

    /// <summary>Readers that were opened ahead.</summary>
    private List<ContentReader>? _ahead;
    private (bool IsSet, YieldMode? Mode) _yieldMode;
    private bool _readsOn;

    /// <summary>The latest long wait of the previous inner readers.</summary>
    private ReaderWait? _lastWait;

    /// <summary>
    /// The reader that bytes come from now; null: none. Owned. Set by the caller that reads, before it disposes of the previous reader; may
    /// be read from any thread.
    /// </summary>
    protected ContentReader? Inner
    {
        get => Volatile.Read(ref _inner);
        set
        {
            if (value == _inner)
                return;
            if (_inner?.Observe().LastWait is { } wait)
                Volatile.Write(ref _lastWait, wait);
            lock (_gate)
            {
                Volatile.Write(ref _inner, value);
                if (value is not null && _ahead?.Remove(value) != true)
                    SetLocked(value);
            }
        }
    }

    /// <summary>The last argument of <see cref="Follow"/>. For the caller that reads.</summary>
    protected IClientBacklog? Backlog { get; private set; }

    /// <inheritdoc/>
    public override long Position => Opened.Position;

    /// <inheritdoc/>
    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken) => Opened.NextAsync(cancellationToken);

    /// <summary>The state of the inner reader, with the latest long wait of previous inner readers.</summary>
    public override ReaderState Observe()
    {
        var state = Inner?.Observe() ?? ReaderState.Unknown;
        return state.LastWait is null ? state with { LastWait = Volatile.Read(ref _lastWait) } : state;
    }

    /// <inheritdoc/>
    public override void SetYieldMode(YieldMode? mode)
    {
        lock (_gate)
        {
            _yieldMode = (true, mode);
            _inner?.SetYieldMode(mode);
            _ahead?.ForEach(reader => reader.SetYieldMode(mode));
        }
    }

    /// <inheritdoc/>
    public override void Follow(IClientBacklog? backlog)
    {
        lock (_gate)
        {
            Backlog = backlog;
            _inner?.Follow(backlog);
            _ahead?.ForEach(reader => reader.Follow(backlog));
        }
    }

    /// <inheritdoc/>
    public override void ReadsOn()
    {
        lock (_gate)
        {
            _readsOn = true;
            _inner?.ReadsOn();
            _ahead?.ForEach(static reader => reader.ReadsOn());
        }
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return Inner?.DisposeAsync() ?? ValueTask.CompletedTask;
    }

    /// <summary>
    /// Applies the settings to a reader that is to become <see cref="Inner"/> later, now and on each change: it may be fetching already.
    /// Thread-safe. The derived class disposes of the reader.
    /// </summary>
    protected void OpenedAhead(ContentReader reader)
    {
        ArgumentNullException.ThrowIfNull(reader);
        lock (_gate)
        {
            (_ahead ??= []).Add(reader);
            SetLocked(reader);
        }
    }

    private ContentReader Opened => Inner ?? throw new InvalidOperationException("No inner reader is open.");

    private void SetLocked(ContentReader reader)
    {
        if (_yieldMode.IsSet)
            reader.SetYieldMode(_yieldMode.Mode);
        if (Backlog is { } backlog)
            reader.Follow(backlog);
        if (_readsOn)
            reader.ReadsOn();
    }
}
