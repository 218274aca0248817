namespace NzbDav.Content;

/// <summary>
/// A reader that reads through an inner one, which may be replaced by another. What a derived class does not override is passed on, and a
/// new inner reader gets the settings of the one before.
/// </summary>
/// <param name="inner">The first inner reader; null: none is open yet.</param>
public abstract class DelegatingReader(ContentReader? inner = null) : ContentReader
{
    private readonly Lock _gate = new();
    private ContentReader? _inner = inner;

    /// <summary>Readers that were opened ahead; null: none yet.</summary>
    private List<ContentReader>? _ahead;
    private (bool IsSaid, YieldMode? Way) _yieldMode;
    private bool _readsOn;

    /// <summary>The latest long wait of the inner readers before this one.</summary>
    private ReaderWait? _lastWait;

    /// <summary>
    /// The reader that bytes come from now; null: none. Owned. Set by the caller that reads, before it disposes of the one before; may be
    /// read from any thread.
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

    /// <summary>The state of the inner reader. Its latest long wait outlives it.</summary>
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
    /// Gives a reader that is to become <see cref="Inner"/> later the settings now, and each change of them: it may be fetching already.
    /// Thread-safe. The derived class disposes of it.
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
        if (_yieldMode.IsSaid)
            reader.SetYieldMode(_yieldMode.Way);
        if (Backlog is { } backlog)
            reader.Follow(backlog);
        if (_readsOn)
            reader.ReadsOn();
    }
}
