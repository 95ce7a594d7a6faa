package dev.kubeinformer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;

import dev.kubeinformer.types.Shard;

/**
 * What a server answers in JSON as one with the feature gate {@code ShardedListAndWatch}
 * would, while it is switched on: lists and watches without the objects of other shards,
 * and lists of pages with the selector. It asks at each list, and at each event.
 */
final class ShardGate implements Interceptor {

	private final Shard shard;

	private volatile boolean on;

	private volatile boolean watchesToo;

	ShardGate(Shard shard) {
		this.shard = shard;
	}

	/**
	 * Switches it.
	 * @param lists whether lists are limited to the shard
	 * @param watches whether watches are, too
	 */
	void turn(boolean lists, boolean watches) {
		this.on = lists;
		this.watchesToo = watches;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (!response.isSuccessful() || chain.request().url().queryParameter("shardSelector") == null) {
			return response;
		}
		ResponseBody body = response.body();
		MediaType type = body.contentType();
		if ("true".equals(chain.request().url().queryParameter("watch"))) {
			BufferedSource events = Okio.buffer(new Events(body.source()));
			return response.newBuilder().body(ResponseBody.create(events, type, -1)).build();
		}
		String list = body.string();
		return response.newBuilder().body(ResponseBody.create(this.on ? limited(list) : list, type)).build();
	}

	private String limited(String text) {
		JsonObject list = JsonParser.parseString(text).getAsJsonObject();
		JsonArray items = new JsonArray();
		for (JsonElement item : list.getAsJsonArray("items")) {
			if (contains(item.getAsJsonObject())) {
				items.add(item);
			}
		}
		list.add("items", items);
		JsonObject info = new JsonObject();
		info.addProperty("selector", this.shard.selector());
		list.getAsJsonObject("metadata").add("shardInfo", info);
		return list.toString();
	}

	private boolean contains(JsonObject object) {
		JsonObject metadata = object.getAsJsonObject("metadata");
		return this.shard.contains(text(metadata, "namespace"), text(metadata, "uid"));
	}

	private static String text(JsonObject metadata, String name) {
		return metadata.has(name) ? metadata.get(name).getAsString() : "";
	}

	/**
	 * The events of a watch.
	 */
	private final class Events extends ForwardingSource {

		private final BufferedSource events;

		Events(BufferedSource events) {
			super(events);
			this.events = events;
		}

		@Override
		public long read(Buffer sink, long limit) throws IOException {
			while (true) {
				long newline = this.events.indexOf((byte) '\n');
				if (newline < 0) {
					return this.events.exhausted() ? -1 : this.events.read(sink, limit);
				}
				String line = this.events.readString(newline + 1, StandardCharsets.UTF_8);
				JsonObject event = JsonParser.parseString(line).getAsJsonObject();
				String type = event.get("type").getAsString();
				boolean about = !type.equals("BOOKMARK") && !type.equals("ERROR");
				if (!about || !ShardGate.this.watchesToo || contains(event.getAsJsonObject("object"))) {
					sink.writeString(line, StandardCharsets.UTF_8);
					return line.length();
				}
			}
		}

	}

}
