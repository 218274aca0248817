namespace NzbDav.MockSwarm.Seeders;

/// <summary>A received request.</summary>
/// <param name="Piece">Index of the piece.</param>
/// <param name="Begin">Offset in the piece.</param>
/// <param name="Length">Number of bytes.</param>
/// <param name="Number">Number of requests that this seeder received before it.</param>
public readonly record struct BlockRequest(int Piece, int Begin, int Length, long Number);
