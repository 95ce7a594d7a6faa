package dev.kubeinformer.test.internal.json;

import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesTypeAdaptorFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts the official client's models to JSON trees and back.
 * <p>
 * The client's own {@code JSON} is not used, because it is global, so any code can
 * replace it. It also rejects models without required fields, which tests often omit.
 */
public final class Models {

	// Whether the official client's module with DynamicKubernetesObject is on the class
	// path.
	private static final boolean DYNAMIC = isPresent(
			"io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject");

	// Created on first use, because this takes a large part of the start of a server.
	private volatile @Nullable Gson gson;

	private Gson gson() {
		Gson result = this.gson;
		if (result == null) {
			GsonBuilder builder = JSON.createGson()
				.registerTypeAdapter(OffsetDateTime.class, new TimestampAdapter())
				.registerTypeAdapter(LocalDate.class, new JSON.LocalDateTypeAdapter())
				.registerTypeAdapter(byte[].class, new JSON.ByteArrayAdapter());
			if (DYNAMIC) {
				DynamicObjects.register(builder);
			}
			result = builder.create();
			this.gson = result;
		}
		return result;
	}

	private static boolean isPresent(String className) {
		try {
			Class.forName(className, false, Models.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	public ObjectNode toJson(Object model) {
		return Json.readObject(gson().toJson(model));
	}

	public <T> T fromJson(byte[] json, Class<T> type) {
		return gson().fromJson(new String(json, StandardCharsets.UTF_8), (Type) type);
	}

	/**
	 * Converts objects without a model class. This class is loaded only if the library of
	 * DynamicKubernetesObject is on the class path.
	 */
	private static final class DynamicObjects {

		private DynamicObjects() {
		}

		static void register(GsonBuilder builder) {
			builder.registerTypeAdapterFactory(new DynamicKubernetesTypeAdaptorFactory());
		}

	}

	/**
	 * Timestamps as kube-apiserver prints them: whole seconds, or six digits for a
	 * MicroTime.
	 */
	private static final class TimestampAdapter extends TypeAdapter<OffsetDateTime> {

		private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

		@Override
		public void write(JsonWriter out, @Nullable OffsetDateTime value) throws IOException {
			if (value == null) {
				out.nullValue();
				return;
			}
			OffsetDateTime utc = value.withOffsetSameInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
			out.value((utc.getNano() != 0) ? MICROS.format(utc) : DateTimeFormatter.ISO_INSTANT.format(utc));
		}

		@Override
		public @Nullable OffsetDateTime read(JsonReader in) throws IOException {
			if (in.peek() == JsonToken.NULL) {
				in.nextNull();
				return null;
			}
			return OffsetDateTime.parse(in.nextString());
		}

	}

}
