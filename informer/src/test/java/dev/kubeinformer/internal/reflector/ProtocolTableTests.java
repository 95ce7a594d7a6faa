package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.failure.ProblemClassifier;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of the page protocol.md, computed from the decisions: what follows from each
 * problem in each phase.
 */
class ProtocolTableTests {

	private static final String HEADING = "## What follows from each problem";

	private static final Duration LIVED = Duration.ofSeconds(10);

	private static final Duration LATE = Duration.ofSeconds(60);

	private static final int MOST_REPETITIONS = 4;

	private static final List<String> ORDINALS = List.of("", "1st", "2nd", "3rd", "4th");

	/** Problems that the server reports, by a response or by an error event. */
	private static final Set<Problem> ANSWERED = EnumSet.complementOf(EnumSet.of(Problem.REFUSED_CONNECTION, Problem.IO,
			Problem.SILENT, Problem.FLOODED, Problem.MALFORMED, Problem.MALFORMED_PROTOBUF));

	private final ReflectorTimings timings = ReflectorTimings.defaults();

	private final ListDecisions lists = new ListDecisions(this.timings, ListMode.AUTO, 0);

	private final WatchDecisions watches = new WatchDecisions(this.timings);

	/** A cache of an API server that sends bookmarks. */
	private final ReflectorState live = ReflectorState.initial("")
		.stored("100", "100", 0)
		.with(new Heartbeat(null, true, false));

	@Test
	void tableOfThePageIsWhatTheCodeDecides() throws IOException {
		String expected = table();
		String page = Files.readString(Path.of("..", "docs", "protocol.md"));
		String actual = page.substring(page.indexOf(HEADING) + 1)
			.lines()
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.collect(Collectors.joining("\n"));
		assertThat(page).contains(HEADING);
		assertThat(actual)
			.withFailMessage("The table below '%s' in docs/protocol.md is not what the code decides. "
					+ "If the rule was meant to change, the table must be:%n%n%s%n", HEADING, expected)
			.isEqualTo(expected);
	}

	private String table() {
		Map<List<String>, List<Problem>> rows = new LinkedHashMap<>();
		for (Problem problem : Problem.values()) {
			rows.computeIfAbsent(cells(failure(problem)), (cells) -> new ArrayList<>()).add(problem);
		}
		List<String> lines = new ArrayList<>();
		lines.add("| problem | a page of a list fails | a streaming list is not opened | it breaks off | "
				+ "a watch is not opened | an open watch ends | a probe fails |");
		lines.add("|---|---|---|---|---|---|---|");
		rows.forEach((cells, problems) -> lines
			.add("| " + problems.stream().map(ProtocolTableTests::name).collect(Collectors.joining(", ")) + " | "
					+ String.join(" | ", cells) + " |"));
		lines.add("| none: closed in good order | | | " + afterwards(this.live, this::streamEnded, null) + " | | "
				+ afterwards(this.live, this::watchEnded, null) + " | |");
		lines.add("| none: cut without a byte | | | | | " + afterwards(this.live, this::cutEmpty, null) + " | |");
		lines.add("| none: the version is newer than the cache, after watches without a byte | | | | | | "
				+ afterwards(this.live, this::probedNewer, null) + " |");
		lines.add("| none: no marker in time | | | " + afterwards(this.live, this::streamOverdue, null) + " | | | |");
		return String.join("\n", lines);
	}

	private List<String> cells(Failure failure) {
		return List.of(afterwards(this.live, this::pageFailed, failure),
				afterwards(this.live, this::streamFailed, failure),
				afterwards(this.live, ANSWERED.contains(failure.problem()) ? this::streamFailed : this::streamEnded,
						failure),
				afterwards(this.live, this::watchNotOpened, failure), afterwards(this.live, this::watchEnded, failure),
				afterwards(this.live.needingProbe(), this::probeFailed, failure));
	}

	private Decision pageFailed(Moment moment, Failure failure) {
		FailedPage page = new FailedPage(this.lists.listRequest(moment.state()), failure, true, LATE);
		return this.lists.listFailed(moment.state(), page, moment.now());
	}

	private Decision streamFailed(Moment moment, Failure failure) {
		return this.lists.streamFailed(moment.state(), failure, moment.now());
	}

	private Decision streamEnded(Moment moment, @Nullable Failure failure) {
		return this.lists.streamInterrupted(moment.state(), failure, moment.now());
	}

	private Decision streamOverdue(Moment moment, @Nullable Failure failure) {
		return this.lists.streamOverdue(moment.state(), moment.now());
	}

	private Decision watchNotOpened(Moment moment, Failure failure) {
		return this.watches.watchNotOpened(moment.state(), failure);
	}

	private Decision watchEnded(Moment moment, @Nullable Failure failure) {
		return this.watches.watchEnded(moment.state(), new WatchEnd(failure, LIVED, false, false), moment.now());
	}

	private Decision cutEmpty(Moment moment, @Nullable Failure failure) {
		return this.watches.watchEnded(moment.state(), new WatchEnd(failure, LIVED, false, true), moment.now());
	}

	private Decision probedNewer(Moment moment, @Nullable Failure failure) {
		ReflectorState state = moment.state();
		while (!state.doubts().probeDue()) {
			state = cutEmpty(new Moment(state, moment.now()), failure).state();
		}
		return this.watches.probed(state, state.versions().last() + "0");
	}

	private Decision probeFailed(Moment moment, Failure failure) {
		return this.watches.notProbed(moment.state(), failure);
	}

	/**
	 * Describes what follows from a problem, and from the same one again and again.
	 * @param start the state before
	 * @param phase where it comes
	 * @param failure the problem
	 * @return a cell of the table
	 */
	private String afterwards(ReflectorState start, BiFunction<Moment, Failure, Decision> phase,
			@Nullable Failure failure) {
		StringBuilder cell = new StringBuilder();
		ReflectorState state = start;
		ReflectorState afterFirst = state;
		String before = "";
		for (int i = 1; i <= MOST_REPETITIONS; i++) {
			Decision decision = phase.apply(new Moment(state, 0), failure);
			String words = words(decision);
			if (!words.equals(before)) {
				cell.append((i > 1) ? "; " + ORDINALS.get(i) + ": " : "").append(words);
			}
			before = words;
			state = decision.state();
			afterFirst = (i == 1) ? state : afterFirst;
		}
		Duration patience = this.timings.errorEventPatience();
		Decision late = phase.apply(new Moment(afterFirst, patience.toNanos() + 1), failure);
		if (late.state().nextList().reason() == ListReason.ERROR_EVENTS) {
			cell.append("; after %d s: ".formatted(patience.toSeconds())).append(words(late));
		}
		return cell.toString();
	}

	private String words(Decision decision) {
		ReflectorState state = decision.state();
		boolean latest = state.nextList().fresh();
		boolean inPages = state.nextList().cuts() > 2 && this.lists.listRequest(state).limit() > 0;
		String action = switch (decision.step()) {
			case START, STREAM ->
				state.streams().mayStream(0) ? (latest ? "list the latest state" : "list again") : listInPages(latest);
			case LIST -> listInPages(latest);
			case PROBE -> "probe, then watch";
			case WATCH -> "watch again";
		} + (inPages ? " in pages" : "") + (state.streams().mayStream(0) ? "" : " for a day")
				+ (state.encoding().avoidsProtobuf() ? " in JSON" : "");
		String wait = switch (decision.pause().kind()) {
			case NONE -> "at once";
			case BACKOFF -> "backoff";
			case RECONNECT -> "reconnect backoff";
		};
		return "%s (%s%s)".formatted(action, wait,
				(decision.condition() != null) ? ", `" + decision.condition() + "`" : "");
	}

	private static String listInPages(boolean latest) {
		return (latest ? "list the latest state" : "list") + " in pages";
	}

	private static Failure failure(Problem problem) {
		return new Failure(problem, null, "", "");
	}

	private static String name(Problem problem) {
		return "`%s` (%s)".formatted(problem, switch (problem) {
			case TOO_LARGE -> "version ahead of the server";
			case INVALID_VERSION -> "version not understood";
			case ALREADY_EXISTS -> "409";
			case REFUSED_CONNECTION -> "no process listens: `ConnectException`";
			case IO -> "no response, or it broke: other exceptions";
			case SILENT -> "nothing came in time: `SocketTimeoutException`";
			case FLOODED -> "nothing but blank lines or bookmarks: `FloodedWatchException`";
			case MALFORMED -> "not what it must be: `MalformedResponseException`";
			case MALFORMED_PROTOBUF -> "no valid protobuf: the same";
			case INTERNAL -> "error on this side";
			default -> codes(problem);
		});
	}

	private static String codes(Problem problem) {
		List<Integer> codes = IntStream.range(400, 600)
			.boxed()
			.filter((code) -> ProblemClassifier.of(new ApiStatus(code, "", "", "", null)) == problem)
			.toList();
		if (codes.size() <= 3) {
			return codes.stream().map(String::valueOf).collect(Collectors.joining(", "));
		}
		String usual = codes.contains(503) ? "502, 503, " : "";
		return "%sother %dxx".formatted(usual, codes.get(0) / 100);
	}

	/**
	 * When something fails.
	 *
	 * @param state the state
	 * @param now the time, in nanoseconds
	 */
	private record Moment(ReflectorState state, long now) {

	}

}
