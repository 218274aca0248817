using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text;
using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>
/// A pool that finds leaks and late use. A returned buffer is filled with <see cref="Returned"/>, so that a late reader sees
/// rubbish; a late writer is found when the buffer is rented again, or by <see cref="AssertAllReturned"/>. Thread-safe.
/// </summary>
public sealed class DiagnosticBufferPool : BufferPool
{
    /// <summary>Filler of a new buffer: no code may rely on zeros.</summary>
    public const byte Fresh = 0xCD;

    /// <summary>Filler of a returned buffer.</summary>
    public const byte Returned = 0xDD;

    private readonly ConcurrentDictionary<PooledBuffer, string> _out = new(ReferenceEqualityComparer.Instance);
    private readonly ConditionalWeakTable<byte[], object> _returned = [];
    private readonly ConcurrentQueue<string> _lateWrites = new();
    private readonly bool _traces;

    /// <param name="budget">Default: one of 64 MiB.</param>
    /// <param name="traces">Records where each buffer was rented: slow, so off until a leak is to be found.</param>
    public DiagnosticBufferPool(BufferBudget? budget = null, bool traces = false)
        : base(budget ?? new BufferBudget(64 << 20)) => _traces = traces;

    /// <summary>Throws, naming each buffer that is still out and each that was written to after its return.</summary>
    /// <exception cref="InvalidOperationException">Something leaked or was used too late.</exception>
    public void AssertAllReturned()
    {
        foreach (var (array, _) in _returned)
            CheckPattern(array);

        var report = new StringBuilder();
        foreach (var (buffer, trace) in _out)
            report.Append("leaked: a buffer of ").Append(buffer.Capacity).Append(" bytes, rented ").AppendLine(trace);
        foreach (var write in _lateWrites)
            report.AppendLine(write);
        if (report.Length > 0)
            throw new InvalidOperationException(report.ToString());
    }

    /// <summary>Throws if budget is reserved, for instance for a buffer that was then not rented.</summary>
    /// <exception cref="InvalidOperationException">Budget is reserved.</exception>
    public void AssertNothingReserved()
    {
        if (Budget.Reserved != 0)
            throw new InvalidOperationException($"{Budget.Reserved} bytes of budget are still reserved.");
    }

    /// <inheritdoc/>
    protected override void OnRented(PooledBuffer buffer)
    {
        if (_returned.Remove(buffer.Array))
            CheckPattern(buffer.Array);
        else
            buffer.Array.AsSpan().Fill(Fresh);
        _out[buffer] = _traces ? Environment.StackTrace : "(switch traces on to see where)";
    }

    /// <inheritdoc/>
    protected override void OnReturned(PooledBuffer buffer)
    {
        buffer.Array.AsSpan().Fill(Returned);
        _returned.AddOrUpdate(buffer.Array, string.Empty);
        _out.TryRemove(buffer, out _);
    }

    private void CheckPattern(byte[] array)
    {
        var at = array.AsSpan().IndexOfAnyExcept(Returned);
        if (at < 0)
            return;
        _lateWrites.Enqueue($"written after its return: a buffer of {array.Length} bytes, first at {at}");
        array.AsSpan().Fill(Returned);
    }
}
