#!/usr/bin/env -S dotnet run
#:package Microsoft.CodeAnalysis.CSharp
#:property TreatWarningsAsErrors=false
#:property PublishAot=false
#:property RunAnalyzersDuringBuild=false

// Tells how many small faults in the backend the tests notice. All mutants are compiled at once; an environment variable wakes one.
// Changes the sources of the clone it is given: make one to throw away.
//
//   dotnet run tools/mutants.cs -- plant CLONE SEED COUNT [OTHER]   plants mutants; with OTHER only in files that are the same there
//   (cd CLONE && dotnet build NzbDav.sln)
//   dotnet run tools/mutants.cs -- record CLONE [PROGRAM…]          runs all tests and notes which class of tests passes which mutant
//   dotnet run tools/mutants.cs -- kill CLONE [JOBS [NUMBER…]]      wakes these, or all, in turn, and runs the classes that pass each
//
// Writes CLONE/mutants/: mutants.tsv (number, kind, place, code), hits/ and times/ by test program, result.tsv (number, killed | survived |
// unreached | hung, by whom). "kill" goes on where it was stopped.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

const string Runtime = """
    // Planted by tools/mutants.cs.
    internal static class Mutant
    {
        private static readonly int Awake =
            int.TryParse(System.Environment.GetEnvironmentVariable("NZBDAV_MUTANT"), out var number) ? number : -1;
        private static readonly string? Notes = System.Environment.GetEnvironmentVariable("NZBDAV_MUTANT_HITS");
        private static readonly System.Collections.Concurrent.ConcurrentDictionary<(int, string), bool> Noted = new();
        private static System.Reflection.PropertyInfo? s_test;

        public static bool Is(int number)
        {
            if (Notes is not null)
                Note(number);
            return number == Awake;
        }

        public static bool Flips(int number, bool condition) => condition ^ Is(number);

        private static void Note(int number)
        {
            var hit = (number, TestClass());
            if (!Noted.TryAdd(hit, true))
                return;
            lock (Noted)
                System.IO.File.AppendAllText(Notes + "." + System.Environment.ProcessId, number + "\t" + hit.Item2 + "\n");
        }

        private static string TestClass()
        {
            if (s_test is null)
            {
                foreach (var assembly in System.AppDomain.CurrentDomain.GetAssemblies())
                    s_test ??= assembly.GetType("Xunit.TestContext")?.GetProperty("Current");
            }

            dynamic? test = s_test?.GetValue(null);
            return (string?)test?.TestClass?.TestClassName ?? "?";
        }
    }
    """;

switch (args)
{
    case ["plant", var clone, var seed, var count, .. var rest]:
        Plant(clone, int.Parse(seed, CultureInfo.InvariantCulture), int.Parse(count, CultureInfo.InvariantCulture), rest.FirstOrDefault());
        return 0;
    case ["record", var clone, .. var programs]:
        Record(clone, programs);
        return 0;
    case ["kill", var clone, .. var rest]:
        Kill(clone, rest.Length == 0 ? 2 : int.Parse(rest[0], CultureInfo.InvariantCulture), rest.Skip(1).ToHashSet());
        return 0;
    default:
        Console.Error.WriteLine("usage: mutants plant CLONE SEED COUNT [OTHER] | record CLONE [PROGRAM…] | kill CLONE [JOBS [NUMBER…]]");
        return 2;
}

static string In(string clone, params string[] parts) => Path.GetFullPath(Path.Combine([clone, "mutants", .. parts]));

// At most two of a file, so that long files do not stand for all.
static void Plant(string clone, int seed, int count, string? other)
{
    var files = Directory.EnumerateFiles(Path.Combine(clone, "backend"), "*.cs", SearchOption.AllDirectories)
        .Select(path => Path.GetRelativePath(clone, path))
        .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal))
        .Where(path => other is null || IsSame(Path.Combine(other, path), Path.Combine(clone, path)))
        .Order(StringComparer.Ordinal)
        .ToArray();
    var random = new Random(seed);
    var sites = files.SelectMany(path => Sites(path, File.ReadAllText(Path.Combine(clone, path))).OrderBy(_ => random.Next()).Take(2))
        .OrderBy(_ => random.Next())
        .Take(count)
        .OrderBy(site => site.Path, StringComparer.Ordinal)
        .ThenBy(site => site.Span.Start)
        .ToArray();
    Directory.CreateDirectory(In(clone));
    var table = new StringBuilder();
    foreach (var (site, number) in sites.Select((site, number) => (site, number)))
        table.Append(Text($"{number}\t{site.Kind}\t{site.Path}:{site.Line}\t{site.Code.ReplaceLineEndings(" ")}\n"));
    foreach (var group in sites.Select((site, number) => (site, number)).GroupBy(pair => pair.site.Path))
    {
        var text = File.ReadAllText(Path.Combine(clone, group.Key));
        var end = int.MaxValue;
        foreach (var (site, number) in group.OrderByDescending(pair => pair.site.Span.Start))
        {
            // One inside the other: the inner one is left out, and has no number.
            if (site.Span.End > end)
                throw new InvalidOperationException($"Two mutants overlap in {site.Path}: take another seed.");
            end = site.Span.Start;
            text = text[..site.Span.Start] + site.Write(number) + text[site.Span.End..];
        }

        File.WriteAllText(Path.Combine(clone, group.Key), text);
    }

    foreach (var room in sites.Select(site => site.Path.Split('/')[1]).Distinct())
        File.WriteAllText(Path.Combine(clone, "backend", room, "Mutant.cs"), Runtime);
    File.WriteAllText(In(clone, "mutants.tsv"), table.ToString());
    var kinds = sites.GroupBy(site => site.Kind).Select(kind => $"{kind.Count()} {kind.Key}");
    Console.WriteLine($"{sites.Length} mutants of {files.Length} files: {string.Join(", ", kinds)}");
}

static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

static bool IsSame(string other, string path) => File.Exists(other) && File.ReadAllText(other) == File.ReadAllText(path);

static IEnumerable<Site> Sites(string path, string text)
{
    var taken = new List<TextSpan>();
    foreach (var node in CSharpSyntaxTree.ParseText(text).GetRoot().DescendantNodes())
    {
        var site = node switch
        {
            IfStatementSyntax { Condition: var condition } when IsPlain(condition) =>
                SiteOf(condition, "negated", number => $"Mutant.Flips({number}, {condition})"),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LessThanExpression } less => Off(less, "<", "<="),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LessThanOrEqualExpression } less => Off(less, "<=", "<"),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.GreaterThanExpression } more => Off(more, ">", ">="),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.GreaterThanOrEqualExpression } more => Off(more, ">=", ">"),
            ExpressionStatementSyntax statement when IsCall(statement) =>
                SiteOf(statement, "dropped", number => $"{{ if (!Mutant.Is({number})) {statement} }}"),
            _ => null,
        };
        if (site is null || taken.Exists(span => span.OverlapsWith(site.Span)))
            continue;
        taken.Add(site.Span);
        yield return site;
    }

    Site SiteOf(SyntaxNode node, string kind, Func<int, string> write) =>
        new(path, node.GetLocation().GetLineSpan().StartLinePosition.Line + 1, node.Span, kind, node.ToString(), write);

    Site? Off(BinaryExpressionSyntax node, string sign, string other)
    {
        var (left, right) = (node.Left, node.Right);
        return !IsPlain(node) || DeclaresAny(node) || IsConstant(node) ? null
            : SiteOf(node, "off by one", number => $"(Mutant.Is({number}) ? {left} {other} {right} : {left} {sign} {right})");
    }
}

// Without what only the compiler's flow analysis makes valid.
static bool IsPlain(ExpressionSyntax condition) =>
    !(condition.DescendantNodesAndSelf().Any(node =>
            node.IsKind(SyntaxKind.LogicalAndExpression) || node.IsKind(SyntaxKind.LogicalOrExpression))
        && condition.DescendantNodes().Any(node => node is ArgumentSyntax { RefKindKeyword.RawKind: (int)SyntaxKind.OutKeyword }))
    && !condition.DescendantNodesAndSelf().Any(node =>
        node.IsKind(SyntaxKind.TrueLiteralExpression)
        || node is SingleVariableDesignationSyntax { Parent: not DeclarationExpressionSyntax });

static bool DeclaresAny(SyntaxNode node) =>
    node.DescendantNodes().Any(inner => inner is DeclarationExpressionSyntax or AwaitExpressionSyntax);

static bool IsConstant(SyntaxNode node) =>
    node.Ancestors().Any(outer => outer is AttributeSyntax or ParameterSyntax or EnumMemberDeclarationSyntax
        || (outer is FieldDeclarationSyntax field && field.Modifiers.Any(SyntaxKind.ConstKeyword))
        || (outer is LocalDeclarationStatementSyntax local && local.IsConst));

// What no test should notice is left out: messages of the log, assertions, what is only given back.
static bool IsCall(ExpressionStatementSyntax statement)
{
    var expression = statement.Expression is AwaitExpressionSyntax awaited ? awaited.Expression : statement.Expression;
    if (expression is not InvocationExpressionSyntax call
        || call.ArgumentList.Arguments.Any(argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None)))
        return false;
    var name = call.Expression.ToString();
    string[] unseen = ["Log", "Debug.", "GC.", "Dispose", "ThrowIfNull"];
    return !Array.Exists(unseen, part => name.Contains(part, StringComparison.Ordinal))
        && statement.Parent is BlockSyntax or IfStatementSyntax or ElseClauseSyntax;
}

static IEnumerable<(string Name, string Path)> Programs(string clone) =>
    Directory.EnumerateDirectories(Path.GetFullPath(Path.Combine(clone, "tests")))
        .Order(StringComparer.Ordinal)
        .Select(folder => (Folder: folder, Name: Path.GetFileName(folder)))
        .Select(test => (test.Name, Path: Path.Combine(test.Folder, "bin", "Debug", "net10.0", $"NzbDav.{test.Name}.Tests")))
        .Where(program => File.Exists(program.Path));

static void Record(string clone, string[] names)
{
    foreach (var folder in (string[])["hits", "times"])
        Directory.CreateDirectory(In(clone, folder));
    foreach (var (name, path) in Programs(clone).Where(program => names.Length == 0 || names.Contains(program.Name)))
    {
        var began = Stopwatch.GetTimestamp();
        string[] options =
            ["--report-xunit-ctrf", "--report-xunit-ctrf-filename", $"{name}.json", "--results-directory", In(clone, "times")];
        var code = Run(clone, path, options, ("NZBDAV_MUTANT_HITS", In(clone, "hits", name)), TimeSpan.FromHours(1));
        Console.WriteLine($"{name}: code {code}, {Stopwatch.GetElapsedTime(began).TotalSeconds:0} s");
    }
}

static void Kill(string clone, int jobs, HashSet<string> only)
{
    var classes = new Dictionary<(string Program, string Class), double>();
    foreach (var (name, _) in Programs(clone).Where(program => File.Exists(In(clone, "times", $"{program.Name}.json"))))
    {
        using var report = JsonDocument.Parse(File.ReadAllText(In(clone, "times", $"{name}.json")));
        var tests = report.RootElement.GetProperty("results").GetProperty("tests").EnumerateArray();
        foreach (var suite in tests.GroupBy(test => test.GetProperty("extra").GetProperty("type").GetString()!))
        {
            // A class that fails without any mutant says nothing.
            if (suite.All(test => test.GetProperty("status").GetString() != "failed"))
                classes[(name, suite.Key)] = suite.Sum(test => test.GetProperty("duration").GetDouble()) / 1000;
        }
    }

    var hits = Directory.EnumerateFiles(In(clone, "hits"))
        .SelectMany(file => File.ReadLines(file).Select(line => (Program: Path.GetFileName(file).Split('.')[0], Parts: line.Split('\t'))))
        .Select(hit => (Number: hit.Parts[0], Key: (hit.Program, hit.Parts[1])))
        .Distinct()
        .ToLookup(hit => hit.Number, hit => hit.Key);
    var result = In(clone, "result.tsv");
    var known = File.Exists(result) ? File.ReadLines(result).Select(line => line.Split('\t')[0]).ToHashSet() : [];
    var paths = Programs(clone).ToDictionary(program => program.Name, program => program.Path);
    var mutants = Partitioner.Create(File.ReadAllLines(In(clone, "mutants.tsv")), loadBalance: true);
    Parallel.ForEach(mutants, new ParallelOptions { MaxDegreeOfParallelism = jobs }, line =>
    {
        var id = line.Split('\t')[0];
        if (known.Contains(id) || (only.Count > 0 && !only.Contains(id)))
            return;
        var began = Stopwatch.GetTimestamp();
        var (verdict, by) = KillOne(id);
        lock (paths)
            File.AppendAllText(result, Text($"{id}\t{verdict}\t{by}\t{Stopwatch.GetElapsedTime(began).TotalSeconds:0}\t{line}\n"));
    });
    foreach (var verdict in File.ReadLines(result).GroupBy(line => line.Split('\t')[1]))
        Console.WriteLine($"{verdict.Count()} {verdict.Key}");

    (string Verdict, string By) KillOne(string id)
    {
        var passing = hits[id].Where(classes.ContainsKey).GroupBy(key => key.Item1)
            .OrderBy(group => group.Sum(key => classes[key])).ToArray();
        foreach (var group in passing)
        {
            // The quick ones first: most mutants die there.
            foreach (var part in group.OrderBy(key => classes[key]).Chunk(12))
            {
                var limit = TimeSpan.FromSeconds(60 + (5 * part.Sum(key => classes[key])));
                string[] options = ["--stop-on-fail", "on", "--filter-class", .. part.Select(key => key.Item2)];
                var code = Run(clone, paths[group.Key], options, ("NZBDAV_MUTANT", id), limit);
                if (code != 0)
                    return (code is null ? "hung" : "killed", group.Key);
            }
        }

        return (passing.Length == 0 ? "unreached" : "survived", "-");
    }
}

// Null: it hung.
static int? Run(string clone, string program, string[] options, (string Name, string Value) variable, TimeSpan limit)
{
    var start = new ProcessStartInfo(program, ["--progress", "off", .. options])
    {
        WorkingDirectory = clone,
        RedirectStandardOutput = true,
        RedirectStandardError = true,
    };
    start.Environment[variable.Name] = variable.Value;
    using var process = Process.Start(start)!;
    process.OutputDataReceived += static (_, _) => { };
    process.ErrorDataReceived += static (_, _) => { };
    process.BeginOutputReadLine();
    process.BeginErrorReadLine();
    if (process.WaitForExit(limit))
        return process.ExitCode;
    process.Kill(entireProcessTree: true);
    return null;
}

internal sealed record Site(string Path, int Line, TextSpan Span, string Kind, string Code, Func<int, string> Write);
