using System.Diagnostics;
using NzbDav.Content;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// A piece that is being received: its buffer and the state of its blocks. Guarded by the torrent's lock; only <see cref="Write"/> is
/// called outside it. A block has one writer at a time, so no peer can change another peer's bytes, and nothing changes once the hash is
/// being calculated. Reused for another piece once it is closed and neither a request nor a sending peer refers to it: see
/// <see cref="IsUnused"/>.
/// </summary>
internal sealed class PieceSlot
{
    /// <summary>Bytes of a block, as every client requests and serves them (BEP 3).</summary>
    public const int BlockSize = 16 << 10;

    private readonly Lock _writing = new();
    private readonly BlockState[] _states;
    private readonly byte[] _copies;
    private readonly int[] _owners;
    private int _firstFree;
    private int _requests;
    private int _writers;
    private HashSet<int>? _excluded;
    private bool _closed = true;

    /// <param name="mostSize">Bytes of the largest piece that the slot will hold.</param>
    public PieceSlot(int mostSize)
    {
        var blocks = BlocksOf(mostSize);
        _states = new BlockState[blocks];
        _copies = new byte[blocks];
        _owners = new int[blocks];
    }

    public int Index { get; private set; }

    /// <summary>Size of the piece in bytes.</summary>
    public int Size { get; private set; }

    /// <summary>The piece's bytes. The slot owns one reference while it is open. Throws when it is closed.</summary>
    public PooledBuffer Buffer { get => field ?? throw new InvalidOperationException("The slot is closed."); private set; }

    public int Blocks { get; private set; }

    /// <summary>The job that checks the piece, kept for reuse; null before the first check.</summary>
    public BackgroundJob? Job { get; set; }

    /// <summary>True if it is closed and nothing refers to it.</summary>
    public bool IsUnused => _closed && _requests == 0 && _writers == 0;

    /// <summary>Its index in the table's list of open slots.</summary>
    public int Place { get; set; }

    /// <summary>Number of blocks that have not been requested.</summary>
    public int Free { get; private set; }

    /// <summary>Number of blocks that have arrived.</summary>
    public int Received { get; private set; }

    /// <summary>True if all blocks have arrived, and the hash is being calculated or queued.</summary>
    public bool IsVerifying { get; private set; }

    /// <summary>True if the piece has failed its hash check before.</summary>
    public bool IsSuspect { get; private set; }

    /// <summary>Number of the peer admitted last (<see cref="Admit"/>); 0 = none.</summary>
    public int LastAdmitted { get; private set; }

    /// <summary>
    /// True if a peer may send blocks: any peer until the piece fails its hash check; from then on those that sent none of it, and those
    /// admitted since.
    /// </summary>
    public bool Admits(int peer) => !IsSuspect || !_excluded!.Contains(peer);

    /// <summary>Admits again a peer that sent part of the bad piece.</summary>
    public void Admit(int peer)
    {
        _excluded?.Remove(peer);
        LastAdmitted = peer;
    }

    /// <summary>When the last block arrived, in ticks.</summary>
    public long LastBlock { get; set; }

    public bool IsComplete => Received == Blocks;

    public BlockState State(int block) => _states[block];

    /// <summary>Number of peers that a block is requested from.</summary>
    public int Copies(int block) => _copies[block];

    /// <summary>The number of the peer that sent a block, or that is sending it; 0 = none.</summary>
    public int Owner(int block) => _owners[block];

    /// <summary>Bytes of one block.</summary>
    public int SizeOf(int block) => Math.Min(BlockSize, Size - (block * BlockSize));

    /// <summary>Starts receiving a piece. The slot must be unused.</summary>
    /// <param name="index">Index of the piece.</param>
    /// <param name="size">Its bytes.</param>
    /// <param name="buffer">One reference, which the slot takes over.</param>
    public void Open(int index, int size, PooledBuffer buffer)
    {
        Debug.Assert(IsUnused, "nobody refers to what the slot was before");
        lock (_writing)
        {
            Index = index;
            Size = size;
            Buffer = buffer;
            Blocks = Free = BlocksOf(size);
            Received = LastAdmitted = _firstFree = 0;
            LastBlock = 0;
            IsSuspect = IsVerifying = _closed = false;
            Array.Clear(_states);
            Array.Clear(_copies);
            Array.Clear(_owners);
            _excluded?.Clear();
        }
    }

    /// <summary>Registers a peer that will call <see cref="Write"/>. Each call needs one of <see cref="EndWriting"/>.</summary>
    public void BeginWriting() => _writers++;

    /// <summary>Unregisters a peer that has finished writing.</summary>
    public void EndWriting()
    {
        Debug.Assert(_writers > 0, "begun before it is ended");
        _writers--;
    }

    /// <summary>The first block that has not been requested; −1 if there is none.</summary>
    public int NextFree()
    {
        if (Free == 0)
            return -1;
        while (_states[_firstFree] != BlockState.Free)
            _firstFree++;
        return _firstFree;
    }

    public void MarkRequested(int block)
    {
        if (_states[block] == BlockState.Free)
        {
            _states[block] = BlockState.Requested;
            Free--;
        }

        _copies[block]++;
        _requests++;
    }

    /// <summary>Call when a request for a block has ended. True if the block can be requested again.</summary>
    public bool Unasked(int block)
    {
        Debug.Assert(_copies[block] > 0, "asked before it is unasked");
        _copies[block]--;
        _requests--;
        if (_copies[block] > 0 || _states[block] != BlockState.Requested)
            return false;
        _states[block] = BlockState.Free;
        Free++;
        _firstFree = Math.Min(_firstFree, block);
        return true;
    }

    /// <summary>
    /// Makes a peer the writer of a block that it begins to send. False if another peer is sending the block: this one's copy must be
    /// collected in a buffer of its own until it is complete.
    /// </summary>
    public bool Claim(int block, int peer)
    {
        lock (_writing)
        {
            if (_owners[block] != 0 && _owners[block] != peer)
                return false;
            _owners[block] = peer;
            return true;
        }
    }

    /// <summary>Releases a block that its peer has stopped sending.</summary>
    public void Unclaim(int block, int peer)
    {
        lock (_writing)
        {
            if (_states[block] != BlockState.Received && _owners[block] == peer)
                _owners[block] = 0;
        }
    }

    /// <summary>Copies bytes of a block into the piece. False if they are no longer needed, or if this peer is no longer the block's
    /// writer. Thread-safe.</summary>
    public bool Write(int block, int peer, int offset, ReadOnlySpan<byte> bytes)
    {
        lock (_writing)
        {
            if (_closed || _states[block] == BlockState.Received || _owners[block] != peer)
                return false;
            bytes.CopyTo(Buffer.Array.AsSpan((block * BlockSize) + offset));
            return true;
        }
    }

    /// <summary>Marks a block as received.</summary>
    /// <param name="block">Index of the block.</param>
    /// <param name="owner">Number of the peer that sent it.</param>
    /// <param name="now">Ticks.</param>
    /// <param name="aside">The whole block, if it was collected in another buffer. It is copied in the same step, so that the peer that was
    /// writing the block here cannot interfere.</param>
    public void MarkReceived(int block, int owner, long now, ReadOnlySpan<byte> aside = default)
    {
        Debug.Assert(_states[block] != BlockState.Received, "a block is received once");
        lock (_writing)
        {
            if (_states[block] == BlockState.Free)
                Free--;
            if (!aside.IsEmpty)
                aside.CopyTo(Buffer.Array.AsSpan(block * BlockSize));
            _states[block] = BlockState.Received;
            _owners[block] = owner;
        }

        Received++;
        LastBlock = now;
        IsVerifying = IsComplete;
    }

    /// <summary>Fills a block that was not requested with zeros and marks it as received. It has no sender.</summary>
    public void FillWithZeros(int block)
    {
        lock (_writing)
        {
            Buffer.Array.AsSpan(block * BlockSize, SizeOf(block)).Clear();
            _states[block] = BlockState.Received;
        }

        Free--;
        Received++;
    }

    /// <summary>Ends all writing. The caller takes over the reference to the buffer.</summary>
    public PooledBuffer Close()
    {
        lock (_writing)
        {
            var buffer = Buffer;
            _closed = true;
            Buffer = null!;
            return buffer;
        }
    }

    /// <summary>
    /// Starts over after a bad hash, and excludes the senders of the blocks. Outstanding requests stay counted. A peer in the middle of a
    /// block can no longer write the rest of it.
    /// </summary>
    public void Restart()
    {
        lock (_writing)
        {
            IsSuspect = true;
            _excluded ??= [];
            _excluded.UnionWith(_owners.AsSpan(0, Blocks).ToArray());
            Received = 0;
            Free = 0;
            _firstFree = 0;
            IsVerifying = false;
            Array.Clear(_owners);
            for (var i = 0; i < Blocks; i++)
            {
                _states[i] = _copies[i] > 0 ? BlockState.Requested : BlockState.Free;
                if (_copies[i] == 0)
                    Free++;
            }
        }
    }

    private static int BlocksOf(int size) => (size + BlockSize - 1) / BlockSize;
}

/// <summary>State of a block of an unfinished piece.</summary>
internal enum BlockState : byte
{
    /// <summary>Not requested.</summary>
    Free,

    /// <summary>Requested from at least one peer.</summary>
    Requested,

    /// <summary>Received.</summary>
    Received,
}
