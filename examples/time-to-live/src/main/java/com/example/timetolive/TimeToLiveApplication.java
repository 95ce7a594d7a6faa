package com.example.timetolive;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class TimeToLiveApplication {

	public static void main(String[] args) {
		SpringApplication.run(TimeToLiveApplication.class, args);
	}

}
