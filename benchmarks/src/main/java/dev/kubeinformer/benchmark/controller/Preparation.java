package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;

/**
 * Brings the cluster to the state that a run begins with, and checks the one that it ends
 * with.
 */
final class Preparation {

	static final String WIDGETS = "/apis/example.com/v1/namespaces/" + Widgets.NAMESPACE + "/widgets";

	static final String CONFIG_MAPS = "/api/v1/namespaces/" + Widgets.NAMESPACE + "/configmaps";

	private static final int ATTEMPTS = 100;

	private final RawCluster cluster;

	private final int objects;

	private final int workers;

	Preparation(RawCluster cluster, int objects, int workers) {
		this.cluster = cluster;
		this.objects = objects;
		this.workers = workers;
	}

	/**
	 * Defines the resource, and creates or deletes widgets until there are as many as
	 * asked for.
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	void widgets() throws IOException, InterruptedException {
		this.cluster.require("POST", "/api/v1/namespaces", Widgets.namespace(), RawCluster.CONFLICT);
		this.cluster.require("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Widgets.definition(),
				RawCluster.CONFLICT);
		awaitServed();
		Set<String> there = new HashSet<>();
		this.cluster.list(WIDGETS).forEach((widget) -> there.add(widget.at("/metadata/name").asString()));
		parallel(this.objects, (index) -> {
			if (!there.contains(Widgets.name(index))) {
				this.cluster.require("POST", WIDGETS, Widgets.widget(index));
			}
		});
		for (int index = 0; index < this.objects; index++) {
			there.remove(Widgets.name(index));
		}
		delete(WIDGETS, List.copyOf(there));
	}

	private void awaitServed() throws IOException, InterruptedException {
		for (int i = 0; i < ATTEMPTS; i++) {
			if (this.cluster.send("GET", WIDGETS + "?limit=1", RawCluster.JSON, null).code() < 300) {
				return;
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		throw new IOException("The widgets are not served");
	}

	/**
	 * Deletes all ConfigMaps.
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	void noConfigMaps() throws IOException, InterruptedException {
		List<String> names = new ArrayList<>();
		this.cluster.list(CONFIG_MAPS).forEach((each) -> names.add(each.at("/metadata/name").asString()));
		delete(CONFIG_MAPS, names);
	}

	private void delete(String path, List<String> names) throws IOException, InterruptedException {
		parallel(names.size(),
				(index) -> this.cluster.require("DELETE", path + "/" + names.get(index), null, RawCluster.NOT_FOUND));
	}

	/**
	 * Checks that there is a ConfigMap for each widget, with its data and owner.
	 * @param owned whether owners are to be checked
	 * @throws IOException if they cannot be read
	 * @throws IllegalStateException if one is missing or wrong
	 */
	void check(boolean owned) throws IOException {
		Map<String, String> uids = new TreeMap<>();
		this.cluster.list(WIDGETS)
			.forEach((widget) -> uids.put(widget.at("/metadata/name").asString(),
					widget.at("/metadata/uid").asString()));
		List<JsonNode> configMaps = this.cluster.list(CONFIG_MAPS);
		for (JsonNode each : configMaps) {
			String name = each.at("/metadata/name").asString();
			JsonNode owner = each.at("/metadata/ownerReferences/0");
			Map<String, String> data = Widgets.data(Integer.parseInt(name.substring(name.indexOf('-') + 1)));
			boolean right = each.at("/data").size() == data.size() && data.entrySet()
				.stream()
				.allMatch((entry) -> entry.getValue().equals(each.at("/data/" + entry.getKey()).asString()));
			if (!right || (owned
					&& (!owner.at("/uid").asString().equals(uids.get(name)) || !owner.at("/controller").asBoolean()))) {
				throw new IllegalStateException("ConfigMap '%s' is not what its widget asks for".formatted(name));
			}
		}
		if (configMaps.size() != this.objects) {
			throw new IllegalStateException(
					"There are %d ConfigMaps instead of %d".formatted(configMaps.size(), this.objects));
		}
	}

	private void parallel(int count, Work work) throws IOException, InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(this.workers);
		try {
			List<Future<?>> parts = new ArrayList<>();
			for (int first = 0; first < this.workers; first++) {
				int start = first;
				parts.add(threads.submit(() -> {
					for (int index = start; index < count; index += this.workers) {
						work.run(index);
					}
					return null;
				}));
			}
			for (Future<?> part : parts) {
				part.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("The cluster cannot be prepared: " + ex.getCause(), ex);
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Request for one object.
	 */
	private interface Work {

		void run(int index) throws IOException;

	}

}
