package dev.kubeinformer.applyfuzz;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.applyfuzz.ApplyFuzz.Settings;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The fuzz on the embedded API. {@code -Dfuzz.rounds} and {@code -Dfuzz.seed} make it
 * longer, or the same again.
 */
class ApplyFuzzTests {

	private static final Logger logger = LoggerFactory.getLogger(ApplyFuzzTests.class);

	private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 90);

	private static final int WIDTH = Integer.getInteger("fuzz.width", 45);

	@Test
	void objectsOfJsonCachesAreThoseOfApplyingEachTimeAndRequestsAreLeast() throws InterruptedException {
		run(new Settings(Long.getLong("fuzz.seed", 35), ROUNDS, WIDTH, false, false));
	}

	@Test
	void objectsOfProtobufCachesAreThoseOfApplyingEachTimeAndRequestsAreLeast() throws InterruptedException {
		run(new Settings(Long.getLong("fuzz.seed", 1007), ROUNDS, WIDTH, false, true));
	}

	private static void run(Settings settings) throws InterruptedException {
		logger.info("Seed {}", settings.seed());
		try (EmbeddedKubernetes api = start(settings.protobuf())) {
			FuzzServer server = new FuzzServer(clients(api));
			logger.info("Seed {}: {}", settings.seed(), new ApplyFuzz(server, FuzzType.all(), settings).run());
		}
		catch (FuzzFailure ex) {
			throw smallest(ex, settings);
		}
	}

	private static EmbeddedKubernetes start(boolean protobuf) {
		return EmbeddedKubernetes.builder()
			.protobuf(protobuf)
			.bookmarkInterval(Duration.ofMillis(100))
			.validation(false)
			.start();
	}

	private static Supplier<ApiClient> clients(EmbeddedKubernetes api) {
		return () -> {
			ApiClient client = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool()).build());
			client.setBasePath(api.url());
			return client;
		};
	}

	// Leaves out steps and edits while it still fails.
	private static FuzzFailure smallest(FuzzFailure failure, Settings settings) throws InterruptedException {
		FuzzFailure least = failure;
		for (boolean smaller = true; smaller;) {
			smaller = false;
			for (List<FuzzStep> candidate : smaller(least.history)) {
				FuzzFailure found = replay(least.type, candidate, settings);
				if (found != null) {
					least = found;
					smaller = true;
					break;
				}
			}
		}
		if (least != failure) {
			least.addSuppressed(failure);
		}
		return least;
	}

	private static List<List<FuzzStep>> smaller(List<FuzzStep> history) {
		List<List<FuzzStep>> candidates = new ArrayList<>();
		for (int i = history.size() - 1; i > 0; i--) {
			List<FuzzStep> less = new ArrayList<>(history);
			less.remove(i);
			candidates.add(less);
		}
		if (history.size() > 1 && history.get(1).wanted() != null) {
			List<FuzzStep> later = new ArrayList<>(history.subList(1, history.size()));
			later.set(0, new FuzzStep(FuzzStep.When.LIVE, List.of(), history.get(1).wanted()));
			candidates.add(later);
		}
		for (int i = 1; i < history.size(); i++) {
			FuzzStep step = history.get(i);
			for (int j = 0; j < step.edits().size(); j++) {
				List<FuzzEdit> edits = new ArrayList<>(step.edits());
				edits.remove(j);
				List<FuzzStep> less = new ArrayList<>(history);
				less.set(i, new FuzzStep(step.when(), edits, step.wanted()));
				candidates.add(less);
			}
		}
		return candidates;
	}

	private static @Nullable FuzzFailure replay(FuzzType type, List<FuzzStep> history, Settings settings)
			throws InterruptedException {
		try (EmbeddedKubernetes api = start(settings.protobuf())) {
			new ApplyFuzz(new FuzzServer(clients(api)), List.of(type), settings).replay(type, history);
			return null;
		}
		catch (FuzzFailure ex) {
			return ex;
		}
	}

}
