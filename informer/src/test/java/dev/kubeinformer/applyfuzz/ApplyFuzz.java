package dev.kubeinformer.applyfuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.applyfuzz.FuzzEdit.Verb;
import dev.kubeinformer.applyfuzz.FuzzServer.Answer;
import dev.kubeinformer.applyfuzz.FuzzStep.When;

/**
 * Random histories of many objects at once. Each object of the operator has a double, to
 * which others do the same, and which is applied after each step. After rest both are the
 * same, and the operator has sent no request where the apply of the double changed
 * nothing, and at most one elsewhere.
 */
final class ApplyFuzz {

	private static final int STEPS_OF_A_CHILD = 12;

	private final FuzzServer server;

	private final Settings settings;

	private final Random random;

	private final Mutations mutations;

	private final FuzzWorld world;

	private final List<FuzzChild> children = new ArrayList<>();

	private final Report report = new Report();

	/** Prefix of the objects' names; an interrupted run may have left objects. */
	private final String prefix = "c" + Long.toString(System.nanoTime(), 36) + "-";

	private int names;

	ApplyFuzz(FuzzServer server, List<FuzzType> types, Settings settings) {
		this.server = server;
		this.settings = settings;
		this.random = new Random(settings.seed());
		this.mutations = new Mutations(this.random);
		this.world = new FuzzWorld(server, types, settings.protobuf());
	}

	Report run() throws InterruptedException {
		try {
			this.world.start();
			for (int batch = 0; this.report.rounds < this.settings.rounds(); batch++) {
				fill();
				When when = when();
				// Nothing is remembered of the process before, and so of its writes.
				Map<FuzzChild, Outcome> outcomes = new LinkedHashMap<>();
				Runnable steps = () -> this.children.forEach((child) -> outcomes.put(child, step(child, when)));
				perform(when, steps);
				verify(outcomes, batch);
				this.report.rounds += this.children.size();
				retire();
			}
		}
		finally {
			this.world.close();
		}
		return this.report;
	}

	private void perform(When when, Runnable steps) throws InterruptedException {
		switch (when) {
			case LIVE -> steps.run();
			case AWAY -> {
				this.world.stop();
				steps.run();
				this.world.start();
			}
			case HANDOVER -> this.world.handOver(steps);
		}
		this.world.rest();
	}

	private When when() {
		double dice = this.random.nextDouble();
		return (dice < 0.65) ? When.LIVE : (dice < 0.92) ? When.AWAY : When.HANDOVER;
	}

	private void fill() throws InterruptedException {
		List<FuzzChild> added = new ArrayList<>();
		while (this.children.size() < this.settings.width()) {
			FuzzType type = this.world.types().get(this.names % this.world.types().size());
			FuzzChild child = new FuzzChild(type, this.prefix + this.names++, type.least().deepCopy());
			this.children.add(child);
			for (int i = this.random.nextInt(8); i > 0; i--) {
				ObjectNode wanted = this.mutations.changed(child.wanted, type.shape());
				if (wanted != null) {
					accept(child, wanted);
				}
			}
			child.history.add(new FuzzStep(When.LIVE, List.of(), child.wanted));
			this.world.add(child);
			added.add(child);
			Answer applied = this.world.applyDouble(child, false);
			if (!applied.succeeded()) {
				throw new IllegalStateException("%s is refused: %s".formatted(child, applied));
			}
			child.version = applied.version();
		}
		if (!added.isEmpty()) {
			this.world.rest();
			added.forEach((child) -> compare(child, this.server.takeWrites(child.path()),
					new Outcome(true, true, false, false)));
		}
	}

	private boolean accept(FuzzChild child, ObjectNode wanted) {
		ObjectNode before = child.wanted;
		if (!this.settings.validates()) {
			child.wanted = wanted;
			return true;
		}
		child.wanted = wanted;
		boolean accepted = this.world.applyDouble(child, true).succeeded();
		if (!accepted) {
			child.wanted = before;
			this.report.refused++;
		}
		return accepted;
	}

	// Makes up a step, does it, and applies the double.
	private Outcome step(FuzzChild child, When when) {
		List<FuzzEdit> edits = new ArrayList<>();
		ObjectNode wanted = null;
		boolean marked = false;
		double dice = this.random.nextDouble();
		int count = (when == When.LIVE) ? ((dice > 0.2 && dice < 0.6) ? 1 : 0)
				: (dice < 0.4) ? 0 : this.random.nextInt(4);
		for (int i = 0; i < count; i++) {
			FuzzEdit edit = edit(child, when);
			if (edit == null) {
				continue;
			}
			Answer done = this.world.edit(child, edit, false);
			if (!done.succeeded()) {
				this.report.refused++;
				if (edit.verb() != Verb.RECREATE) {
					continue;
				}
				edit = new FuzzEdit(Verb.DELETE, edit.body().objectNode());
			}
			else if (this.settings.validates() && !this.world.applyDouble(child, true).succeeded()) {
				// The desired state is impossible on top of that.
				this.report.refused++;
				edit = new FuzzEdit(Verb.DELETE, edit.body().objectNode());
				this.world.edit(child, edit, false);
			}
			edits.add(edit);
			Answer same = this.world.edit(child, edit, true);
			if (same.code() == 422 && this.settings.validates() && sharesLess(child)) {
				// Only the operator of the double still holds a required field that
				// somebody else gives up.
				child.refused = true;
				break;
			}
			if (!same.succeeded() && edit.verb() != Verb.DELETE) {
				throw failure(child,
						"The same edit of both was refused for the operator's: %s: %s".formatted(edit, same));
			}
			marked |= Trees.isMarked(edit.body()) || edit.verb() == Verb.RECREATE;
			this.report.edits.merge(edit.verb(), 1, Integer::sum);
		}
		boolean changes = (when == When.LIVE) ? dice >= 0.6 : this.random.nextDouble() < 0.35;
		if (changes && edits.isEmpty() | when != When.LIVE) {
			ObjectNode next = this.mutations.changed(child.wanted, child.type.shape());
			if (next != null && accept(child, next)) {
				wanted = next;
			}
		}
		child.history.add(new FuzzStep(when, List.copyOf(edits), wanted));
		return applyDouble(child, wanted != null, marked, !edits.isEmpty());
	}

	// Fields that others took with the same value while the operator was away.
	private boolean sharesLess(FuzzChild child) {
		Set<String> own = applied(this.server.get(child.path()).body(), child.owner);
		return !own.containsAll(applied(this.server.get(child.doublePath()).body(), child.doubleOwner));
	}

	private static Set<String> applied(ObjectNode object, String owner) {
		return Objects.requireNonNullElse(Trees.managers(object, owner).get(FuzzWorld.MANAGER + " Apply "), Set.of());
	}

	private Outcome applyDouble(FuzzChild child, boolean wanted, boolean marked, boolean edited) {
		String before = this.server.get(child.doublePath()).version();
		Answer applied = this.world.applyDouble(child, false);
		if (applied.code() == 422 && this.settings.validates()) {
			// An earlier accepted apply left an empty map, to which the next apply adds.
			child.refused = true;
			return new Outcome(false, wanted, marked, edited);
		}
		if (!applied.succeeded()) {
			throw failure(child, "The apply of the double was refused: " + applied);
		}
		child.version = applied.version();
		return new Outcome(!applied.version().equals(before), wanted, marked, edited);
	}

	private @Nullable FuzzEdit edit(FuzzChild child, When when) {
		ObjectNode none = child.wanted.objectNode();
		double dice = this.random.nextDouble();
		if (dice < 0.08) {
			return new FuzzEdit(Verb.DELETE, none);
		}
		if (dice < 0.16) {
			String value = this.mutations.pick(List.of("null", "'x'", "''"));
			return new FuzzEdit(this.mutations.pick(List.of(Verb.MERGE, Verb.UPDATE)),
					Trees.parse("{metadata:{annotations:{'" + Trees.APPLIED + "':" + value + "}}}"));
		}
		Answer found = this.server.get(child.doublePath());
		if (!found.succeeded()) {
			return null;
		}
		ObjectNode now = Trees.withoutServerFields(found.body());
		if (Trees.metadata(now).toString().contains(found.body().path("metadata").path("uid").asString())) {
			// A Job has labels of its own UID.
			Trees.metadata(now).remove("labels");
		}
		now.remove("kind");
		now.remove("apiVersion");
		ObjectNode next = this.mutations.changed(now, child.type.shape());
		if (next == null) {
			return null;
		}
		if (dice < 0.36) {
			ObjectNode part = this.mutations.extract(next, child.type.shape());
			if (part.path("metadata").path("annotations") instanceof ObjectNode annotations) {
				annotations.remove(Trees.APPLIED);
			}
			return new FuzzEdit(Verb.APPLY, part);
		}
		ObjectNode patch = Trees.mergePatch(now, next);
		if (dice < 0.44 && when != When.LIVE) {
			return new FuzzEdit(Verb.RECREATE, (this.random.nextBoolean()) ? none : patch);
		}
		return new FuzzEdit((dice < 0.7) ? Verb.MERGE : Verb.UPDATE, patch);
	}

	private void verify(Map<FuzzChild, Outcome> outcomes, int batch) {
		outcomes.forEach((child, outcome) -> compare(child, this.server.takeWrites(child.path()), outcome));
	}

	private void compare(FuzzChild child, int writes, Outcome outcome) {
		if (child.refused) {
			this.report.refused++;
			return;
		}
		if (child.incomparable) {
			return;
		}
		Answer ours = this.server.get(child.path());
		Answer reference = this.server.get(child.doublePath());
		if (!ours.succeeded() || !reference.succeeded()) {
			throw failure(child, "Only one of both is there: %s, %s".formatted(ours.code(), reference.code()));
		}
		ObjectNode is = Trees.comparable(ours.body(), child.nameAt(true), child.owner);
		ObjectNode should = Trees.comparable(reference.body(), child.nameAt(false), child.doubleOwner);
		if (!is.equals(should) && meaning(child, is).equals(meaning(child, should))) {
			// The first apply that empties a map takes it away, the second one adds it;
			// and others may have written the same quantity in another notation.
			this.report.alike.merge(child.type.toString(), 1, Integer::sum);
		}
		else if (isMoreInAnAtomicMap(child, is, should)) {
			incomparable(child);
			return;
		}
		else if (!is.equals(should)) {
			throw failure(child, "The objects differ, " + Trees.difference(is, should));
		}
		compareManagers(child, ours.body(), reference.body());
		this.report.writes += writes;
		// An undecided case is asked once, and again after others have changed it.
		boolean free = !outcome.changed() && !outcome.wanted() && !outcome.marked();
		if (writes > 1 || (free && writes > 0)) {
			if (writes > 1 || (child.undecided && !outcome.edited())) {
				throw failure(child, "%d requests were sent, and the apply of the double changed %s".formatted(writes,
						outcome.changed() ? "something" : "nothing"));
			}
			child.undecided = true;
			this.report.undecided.merge(child.type.toString(), 1, Integer::sum);
		}
		if (!outcome.changed() && !free && writes > 0) {
			this.report.notations.merge(child.type.toString(), 1, Integer::sum);
		}
		if (outcome.changed() && writes == 0) {
			this.report.unsent.merge(child.type.toString(), 1, Integer::sum);
		}
	}

	private void incomparable(FuzzChild child) {
		child.incomparable = true;
		this.report.incomparable.merge(child.type.toString(), 1, Integer::sum);
	}

	// What others have added to an atomic map of a custom resource while the operator was
	// away stays until the next change (docs/apply-reference.md).
	private static boolean isMoreInAnAtomicMap(FuzzChild child, ObjectNode is, ObjectNode should) {
		if (is.equals(should) || !child.type.type().equals(FuzzType.BLOBS)
				|| child.history.get(child.history.size() - 1).when() == When.LIVE) {
			return false;
		}
		ObjectNode less = is.deepCopy();
		if (less.path("spec").path("frozen") instanceof ObjectNode frozen) {
			frozen.retain(should.path("spec").path("frozen").propertyNames());
		}
		return less.equals(should);
	}

	private static JsonNode meaning(FuzzChild child, ObjectNode object) {
		return Trees.meaning(object, !child.type.type().equals(FuzzType.BLOBS));
	}

	// Fields that others took and gave back while the operator was away are theirs.
	private void compareManagers(FuzzChild child, ObjectNode ours, ObjectNode reference) {
		Map<String, Set<String>> is = new TreeMap<>(Trees.managers(ours, child.owner));
		Map<String, Set<String>> should = new TreeMap<>(Trees.managers(reference, child.doubleOwner));
		Set<String> own = Objects.requireNonNullElse(is.remove(FuzzWorld.MANAGER + " Apply "), Set.of());
		Set<String> expected = new TreeSet<>(
				Objects.requireNonNullElse(should.remove(FuzzWorld.MANAGER + " Apply "), Set.of()));
		if (own.isEmpty() && is.isEmpty()) {
			// It was created again as it was, and nobody has applied it since.
			this.report.shared.merge(child.type.toString(), 1, Integer::sum);
			return;
		}
		Set<String> managers = new TreeSet<>(is.keySet());
		managers.addAll(should.keySet());
		for (String manager : managers) {
			// An apply by force takes what it writes in another notation from others.
			Set<String> more = new TreeSet<>(is.getOrDefault(manager, Set.of()));
			more.removeAll(should.getOrDefault(manager, Set.of()));
			// Such a field stays here when the operator gives it up, and not in the
			// double.
			if (expected.stream().anyMatch(more::contains)) {
				incomparable(child);
			}
			more.removeAll(expected);
			Set<String> less = new TreeSet<>(should.getOrDefault(manager, Set.of()));
			less.removeAll(is.getOrDefault(manager, Set.of()));
			if (!more.isEmpty() || !less.isEmpty()) {
				throw failure(child, "The fields of '%s' differ: %s more, %s less".formatted(manager, more, less));
			}
		}
		if (!expected.containsAll(own)) {
			Set<String> more = new TreeSet<>(own);
			more.removeAll(expected);
			throw failure(child, "The operator's has fields that an apply would not have: " + more);
		}
		expected.removeAll(own);
		for (String path : expected) {
			// Others have the texts of a Secret as its data.
			String start = path.replace("/f:stringData/", "/f:data/") + "/";
			boolean held = is.values()
				.stream()
				.flatMap(Set::stream)
				.anyMatch((other) -> (other + "/").startsWith(start));
			if (!held && !Trees.isNothing(ours, path)) {
				throw failure(child, "The operator's has lost the field %s to nobody".formatted(path));
			}
		}
		if (!expected.isEmpty()) {
			this.report.shared.merge(child.type.toString(), 1, Integer::sum);
		}
	}

	private void retire() {
		List<FuzzChild> old = this.children.stream()
			.filter((child) -> child.refused || child.incomparable || child.history.size() > STEPS_OF_A_CHILD)
			.toList();
		old.forEach(this.world::remove);
		this.children.removeAll(old);
	}

	private FuzzFailure failure(FuzzChild child, String what) {
		return new FuzzFailure(what, child.type, List.copyOf(child.history), this.settings.seed(), this.report.rounds);
	}

	/**
	 * Repeats the history of one object in a world of its own.
	 */
	void replay(FuzzType type, List<FuzzStep> history) throws InterruptedException {
		try {
			FuzzChild child = new FuzzChild(type, this.prefix + this.names++,
					Objects.requireNonNull(history.get(0).wanted()));
			this.children.add(child);
			child.history.addAll(history);
			this.world.start();
			this.world.add(child);
			applyDouble(child, true, false, false);
			this.world.rest();
			compare(child, this.server.takeWrites(child.path()), new Outcome(true, true, false, false));
			for (FuzzStep step : history.subList(1, history.size())) {
				Outcome[] outcome = new Outcome[1];
				perform(step.when(), () -> outcome[0] = repeat(child, step));
				compare(child, this.server.takeWrites(child.path()), outcome[0]);
			}
		}
		finally {
			this.world.close();
		}
	}

	private Outcome repeat(FuzzChild child, FuzzStep step) {
		boolean marked = false;
		for (FuzzEdit edit : step.edits()) {
			if (this.world.edit(child, edit, false).succeeded() | this.world.edit(child, edit, true).succeeded()) {
				marked |= Trees.isMarked(edit.body()) || edit.verb() == Verb.RECREATE;
			}
		}
		if (step.wanted() != null) {
			child.wanted = step.wanted();
		}
		return applyDouble(child, step.wanted() != null, marked, !step.edits().isEmpty());
	}

	/**
	 * Settings of the fuzz.
	 *
	 * @param seed the seed, which makes a run repeatable
	 * @param rounds the number of steps of single objects
	 * @param width the number of concurrent objects
	 * @param validates whether the server validates objects, and so must be asked
	 * @param protobuf whether protobuf fills the operator's caches
	 */
	record Settings(long seed, int rounds, int width, boolean validates, boolean protobuf) {

	}

	/**
	 * Effect of a step on the double.
	 *
	 * @param changed whether its apply changed something
	 * @param wanted whether the desired state has changed
	 * @param marked whether another client wrote the operator's annotation
	 * @param edited whether another client wrote anything
	 */
	record Outcome(boolean changed, boolean wanted, boolean marked, boolean edited) {

	}

	/** Statistics of the fuzz. */
	static final class Report {

		int rounds;

		int writes;

		int refused;

		final Map<Verb, Integer> edits = new TreeMap<>();

		/** Requests that were sent once a process although nothing differed. */
		final Map<String, Integer> undecided = new TreeMap<>();

		/** Number of requests for a desired state in another notation. */
		final Map<String, Integer> notations = new TreeMap<>();

		/** Applies that would only have shared fields that others hold. */
		final Map<String, Integer> unsent = new TreeMap<>();

		/** Objects that differ in an empty map or in the notation of a quantity only. */
		final Map<String, Integer> alike = new TreeMap<>();

		/** Objects of whose fields others hold some alone. */
		final Map<String, Integer> shared = new TreeMap<>();

		/** Objects that are not compared further. */
		final Map<String, Integer> incomparable = new TreeMap<>();

		@Override
		public String toString() {
			return "%d rounds, %d writes, %d edits or wishes refused; edits %s; undecided %s; other notation %s; not sent %s; shared less %s; alike %s; not compared further %s"
				.formatted(this.rounds, this.writes, this.refused, this.edits, this.undecided, this.notations,
						this.unsent, this.shared, this.alike, this.incomparable);
		}

	}

}
