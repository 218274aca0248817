namespace NzbDav.MockSwarm.Seeders;

/// <summary>A request as it came in.</summary>
/// <param name="Piece">Index.</param>
/// <param name="Begin">Offset in the piece.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Number">How many requests this seeder has had before.</param>
public readonly record struct BlockRequest(int Piece, int Begin, int Length, long Number);
