// What a parser allocates is counted for the whole process: one test at a time.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
