namespace NzbDav.MockSwarm.Seeders;

/// <summary>A message on its way to a seeder: it takes effect one round trip after it was read, which is when a real answer would arrive.</summary>
internal readonly record struct Incoming(IncomingKind Kind, int Piece, int Begin, int Length, long Due);
