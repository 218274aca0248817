namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes one block of 64 bytes with one instruction set. Implemented by structs and used as a type argument, so that the loop is compiled once for
/// each, with the block inlined.
/// </summary>
internal interface IYencBlock
{
    /// <summary>Whether this processor has the instructions.</summary>
    static abstract bool IsSupported { get; }

    /// <summary>
    /// Decodes 64 bytes as plain data: drops <c>=</c>, CR and LF unless escaped, takes <c>=</c> in the byte before the block for an
    /// escape, and knows nothing of lines. So its output is right up to the first place that <paramref name="suspects"/> marks.
    /// </summary>
    /// <param name="source">The first of 64 readable bytes; the one before is readable too.</param>
    /// <param name="destination">The first of 64 writable bytes.</param>
    /// <param name="suspects">A bit for each <c>=</c> and dot that follows LF or <c>=</c>.</param>
    /// <returns>A bit for each byte that was dropped.</returns>
    static abstract ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects);
}
